"""Small numbers as they are written in the lesson: no more digits than they have, with a real minus sign."""

from collections.abc import Iterable

DIGITS = 4  # after the point, at most


def written(value: float) -> str:
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def signed(value: float) -> str:
    """As a factor: a negative one is in brackets."""
    return f"({written(value)})" if value < 0 else written(value)


def listed(values: Iterable[float]) -> str:
    return f"({', '.join(map(written, values))})"
