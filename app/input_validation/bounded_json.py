"""Bounded JSON: what a component or a table in the browser sends, as values of known depth, number and size.

No NaN or infinity, no half of a character (a lone surrogate), no number that Python would need long to write.
"""

from collections.abc import Iterator

from pydantic_core import from_json

from regard.model.input_error import InputError

LONGEST = 300_000  # characters
DEEPEST, MOST = 8, 20_000  # levels, and values on all of them
LARGEST = 2**53  # a whole number that JavaScript can hold


def read(text: str) -> object:
    """Raises InputError for anything else than JSON within these bounds."""
    if len(text) > LONGEST:
        raise InputError(f"{len(text):,} characters; accepted are {LONGEST:,}")
    found = from_json(text, allow_inf_nan=False)
    for count, value in enumerate(_values(found, DEEPEST - 1)):
        if count >= MOST:
            raise InputError(f"more than {MOST:,} values")
        if isinstance(value, int | float) and not abs(value) <= LARGEST:
            raise InputError("a number that is too large")
    return found


def _values(value: object, levels: int) -> Iterator[object]:
    if levels < 0:
        raise InputError(f"more than {DEEPEST} levels")
    yield value
    if isinstance(value, dict):
        for name in value:
            yield name
            yield from _values(value[name], levels - 1)
    elif isinstance(value, list):
        for each in value:
            yield from _values(each, levels - 1)
