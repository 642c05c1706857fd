"""Bounded JSON: data that a component or a table in the browser sends, limited in depth, number and size.

It has no NaN or infinity, no lone surrogate, and no number that would take Python long to write.
"""

from itertools import chain
from typing import Any

from pydantic_core import from_json

from regard.model.input_error import InputError

JSON_CHARACTERS = 300_000  # characters
DEEPEST, MOST = 8, 20_000  # levels, and values on all of them
LARGEST_NUMBER = 2**53  # the greatest whole number that JavaScript holds exactly


def read(text: str) -> object:
    """Parse JSON. Raises InputError for anything but JSON within these bounds."""
    if len(text) > JSON_CHARACTERS:
        raise InputError(f"{len(text):,} characters; the limit is {JSON_CHARACTERS:,}")
    found: Any = from_json(text, allow_inf_nan=False)
    level: list[Any] = [found]
    count = 1
    for _ in range(DEEPEST):
        lists = [value for value in level if type(value) is list]
        objects = [value for value in level if type(value) is dict]
        if any(type(value) in (int, float) and not abs(value) <= LARGEST_NUMBER for value in level):
            raise InputError("a number that is too large")
        count += sum(map(len, lists)) + 2 * sum(map(len, objects))
        if count > MOST:
            raise InputError(f"more than {MOST:,} values")
        level = [*chain(*lists), *chain(*objects), *chain(*(value.values() for value in objects))]
        if not level:
            return found
    raise InputError(f"more than {DEEPEST} levels")
