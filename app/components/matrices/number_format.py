"""Number format: numbers of a worked example, with the fewest decimals that identify them, four at most.

A number counts as exact if it differs from the one shown by no more than the rounding error of 0.1 + 0.2.
"""

import math
from decimal import ROUND_CEILING, Decimal

from jaxtyping import Float
from numpy import ndarray

PLACES = 4  # decimals
EXACT = 1e-12  # relative to a number, or absolute if it is below 1
NOTHING = 1e-14  # anything smaller is rounding error of 0
LARGE = 1e7  # from here on numbers are written in powers of ten
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def places(array: Float[ndarray, "R C"]) -> int:
    """Return the decimals with which all numbers of a matrix are written."""
    values = [value for value in array.flat if math.isfinite(value)]
    return next((few for few in range(PLACES) if all(_is(f"{value:.{few}f}", value) for value in values)), PLACES)


def fixed(value: float, after: int, nothing: float = NOTHING) -> str:
    """Format with `after` decimals; in powers of ten if it is large, or if only zeros would be left."""
    size = abs(value)
    if size < nothing:
        return f"{0:.{after}f}"
    if LARGE <= size < math.inf:
        return f"{value:.{after}e}"
    plain = f"{value:.{after}f}"
    return plain if float(plain) else f"{value:.{max(1, after - PLACES + 1)}e}"


def shortest(value: float, after: int, nothing: float = NOTHING) -> str:
    """Format with at most `after` decimals, dropping trailing zeros if nothing was rounded."""
    text = fixed(value, after, nothing)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text and _is(text, value) else text


def rounds(value: Decimal, text: str) -> bool:
    """True if the text is the number, rounded to the digits of the text; a tie may go either way."""
    shown = Decimal(text)
    exponent = shown.as_tuple().exponent
    if not isinstance(exponent, int) or not value.is_finite():
        return value == shown
    return abs(value - shown) <= Decimal((0, (5,), exponent - 1)) * Decimal("1.000001")


def typeset(text: str) -> str:
    """Typeset a Python number: a real minus sign, ∞, powers of ten."""
    mantissa, _, power = text.replace("inf", "∞").partition("e")
    raised = f"·10{str(int(power)).translate(SUPERSCRIPTS)}" if power else ""
    return mantissa.replace("-", "−") + raised


def apart(difference: float) -> str:
    """Say how far two numbers are apart, with one digit rounded up, such as: by at most 3·10⁻⁷."""
    if not difference:
        return "not at all"
    exact = Decimal(difference)
    rounded = exact.quantize(Decimal((0, (1,), exact.adjusted())), rounding=ROUND_CEILING)
    return f"by at most {typeset(f'{rounded:.0e}')}"


def _is(text: str, value: float) -> bool:
    return abs(float(text) - value) <= EXACT * max(1.0, abs(value))
