"""Numbers as they are printed, and whether somebody who calculates with them finds what is printed."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

FINEST = 9  # digits after the point that are tried


class Line(NamedTuple):
    """A row of a table: numbers that are given and numbers that are to be found, as printed."""

    label: str
    given: tuple[str, ...]
    found: tuple[str, ...]


def printed(value: float, places: int) -> str:
    """Rounded to so many digits after the point; zero has no sign."""
    text = f"{value:.{places}f}"
    return text if float(text) else text.lstrip("-")


def rounds_to(value: Decimal, text: str) -> bool:
    """Whether a value rounded as `text` is gives `text`, whichever way halves are rounded."""
    return abs(value - Decimal(text)) < Decimal("0.5").scaleb(-places(text))


def places(text: str) -> int:
    """Digits after the point."""
    return len(text.partition(".")[2])


def added(numbers: Sequence[str]) -> Decimal:
    return sum(map(Decimal, numbers), Decimal(0))


def results(usual: int) -> Iterator[int]:
    """Digits of a result: as many as usual if the sum comes out with them, else more, at last fewer."""
    yield from range(usual, FINEST)
    yield from range(usual - 1, -1, -1)
