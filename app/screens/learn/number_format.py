"""Small numbers as the lesson writes them: no more digits than they have, and a real minus sign."""

from collections.abc import Iterable

DIGITS = 4  # after the point, at most


def written(value: float) -> str:
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def signed(value: float) -> str:
    """Return a number as a factor, in brackets if it is negative."""
    return f"({written(value)})" if value < 0 else written(value)


def equals(made: Iterable[float], shown: Iterable[float]) -> str:
    """Return "=" if the numbers on screen give the written result exactly, else "≈"."""
    return "=" if list(map(written, made)) == list(map(written, shown)) else "≈"


def listed(values: Iterable[float]) -> str:
    return f"({', '.join(map(written, values))})"
