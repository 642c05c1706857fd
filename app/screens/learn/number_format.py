"""Small numbers as they are written in the lesson: no more digits than they have, with a real minus sign."""

from collections.abc import Iterable

DIGITS = 4  # after the point, at most


def written(value: float) -> str:
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def signed(value: float) -> str:
    """As a factor: a negative one is in brackets."""
    return f"({written(value)})" if value < 0 else written(value)


def equals(made: Iterable[float], shown: Iterable[float]) -> str:
    """The sign between what a reader makes of the numbers on screen and what is written of the result."""
    return "=" if list(map(written, made)) == list(map(written, shown)) else "≈"


def listed(values: Iterable[float]) -> str:
    return f"({', '.join(map(written, values))})"
