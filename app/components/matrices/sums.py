"""The sum of an entry, written out so that a reader can redo it: factors, terms, sum, ending, result.

Each part follows from the digits of the one before; "=" means exactly, "≈" means rounded. Numbers have the fewest
decimals that identify them, four at most; one counts as exact if it differs from the number shown by no more than the
rounding error of 0.1 + 0.2.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal
from typing import NamedTuple

from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.operations import Entry, EntryTerm

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


def difference_bound(difference: float) -> str:
    """Say how far two numbers are apart, with one digit rounded up, such as: by at most 3·10⁻⁷."""
    if not difference:
        return "not at all"
    exact = Decimal(difference)
    rounded = exact.quantize(Decimal((0, (1,), exact.adjusted())), rounding=ROUND_CEILING)
    return f"by at most {typeset(f'{rounded:.0e}')}"


def _is(text: str, value: float) -> bool:
    return abs(float(text) - value) <= EXACT * max(1.0, abs(value))


MOST_DECIMALS = 17  # most decimals tried
MORE = 10
NO_BREAK = "\u00a0"
MASKED = {"open": "the mask is 1 here: the score stays", "masked": "the mask is 0 here: the score becomes"}


class Shown(NamedTuple):
    """The shown digits, as Python writes numbers."""

    factors: list[list[str]]
    terms: list[str]
    total: str
    constant: str
    result: str


def written(entry: Entry, result: str) -> str:
    """Write one sum from left to right; `result` is the number as shown. An exponent stands in ^( ), and a line may be
    broken at every blank that is not a no-break space."""
    if entry.ending in MASKED:
        return f"{MASKED[entry.ending]} {typeset(result)}"
    if entry.ending == "over" and entry.constant == 1:
        entry = replace(entry, ending="sum")
    shown = digits(entry, result)
    if entry.ending == "sum" and [len(factors) for factors in shown.factors] == [1]:
        return f"copied unchanged: {typeset(result)}"
    terms, total = [typeset(term) for term in shown.terms], typeset(shown.total)
    redone = [_redone(entry, factors) for factors in shown.factors]
    links = [
        (_sign(redone, shown.terms), _framed(entry, shown, _joined(terms))),
        (_sign([_sum(shown.terms)], [shown.total]), _framed(entry, shown, [total])),
        (_sign([_ended(entry, shown)], [result]), typeset(result)),
    ]
    line = last = _framed(entry, shown, _joined([_factored(entry, factors) for factors in shown.factors]))
    for sign, text in links:
        line, last = (line, last) if text == last else (f"{line} {sign}{NO_BREAK}{text}", text)
    return line


def digits(entry: Entry, result: str) -> Shown:
    """Find the fewest digits with which each part gives the next."""
    over = entry.ending == "over"
    size = abs(entry.combined)  # a tiny result has smaller parts, which are no rounding errors of 0
    nothing = NOTHING * (min(1, size * (min(1, entry.constant) if over else 1)) if size >= NOTHING else 1)
    shown = Shown([], [], result, "", result)
    finer = range(MORE if over else 1)  # extra digits that a divisor may need
    for after, more, fine in itertools.product(range(PLACES, MOST_DECIMALS), range(3), finer):
        total = result if entry.ending == "sum" else shortest(entry.total, after, nothing)
        terms = (
            [shortest(term.value, after + more, nothing) for term in entry.terms] if len(entry.terms) > 1 else [total]
        )
        shown = Shown([], terms, total, shortest(entry.constant, after + fine), result)
        if rounds(_sum(terms), total) and rounds(_ended(entry, shown), result):
            break
    factors = [_factors(entry, term, made) for term, made in zip(entry.terms, shown.terms, strict=True)]
    return shown._replace(factors=factors)


def _factors(entry: Entry, term: EntryTerm, made: str) -> list[str]:
    """Return the factors of a term, or its score and what is subtracted from it, with the fewest digits that give the
    term as shown."""
    numbers = (*term.factors, entry.constant) if entry.ending == "share" and entry.constant else term.factors
    tries = [[shortest(number, after) for number in numbers] for after in range(PLACES, MOST_DECIMALS)]
    return next((factors for factors in tries if rounds(_redone(entry, factors), made)), tries[-1])


def _redone(entry: Entry, factors: Sequence[str]) -> Decimal:
    """Return the term a reader gets from the factors as shown."""
    if entry.ending == "share":
        score, *less = map(float, factors)
        return Decimal(math.exp(score - sum(less)))
    return math.prod(map(Decimal, factors), start=Decimal(1))


def _sum(terms: Sequence[str]) -> Decimal:
    return sum(map(Decimal, terms), start=Decimal(0))


def _ended(entry: Entry, shown: Shown) -> Decimal:
    """Return the result a reader gets from the sum as shown."""
    total = Decimal(shown.total)
    match entry.ending:
        case "over":
            return total / Decimal(shown.constant)
        case "share":
            return Decimal(shown.terms[0]) / total
        case "tanh":
            return Decimal(math.tanh(float(total)))
    return total


def _sign(redone: Sequence[Decimal], shown: Sequence[str]) -> str:
    return "=" if list(redone) == list(map(Decimal, shown)) else "≈"


def _joined(groups: Sequence[str]) -> list[str]:
    """Return the groups with + between them, or − before one that begins with it."""
    signs = ("−" if group.startswith("−") else "+" for group in groups[1:])
    others = (f"{sign}{NO_BREAK}{group.removeprefix('−')}" for sign, group in zip(signs, groups[1:], strict=True))
    return [groups[0], *others]


def _factored(entry: Entry, factors: Sequence[str]) -> str:
    first, *others = factors
    if entry.ending == "share":
        less = [f" + {number[1:]}" if number.startswith("-") else f" − {number}" for number in others]
        return f"e^({typeset(first)}{''.join(less)})".replace(" ", NO_BREAK)
    numbers = [typeset(factor) for factor in factors]
    return "·".join(f"({number})" if others and number.startswith("−") else number for number in numbers)


def _framed(entry: Entry, shown: Shown, groups: Sequence[str]) -> str:
    """Write the ending of a sum around it."""
    text = " ".join(groups)
    enclosed = f"({text})" if len(groups) > 1 else text
    match entry.ending:
        case "tanh":
            return f"tanh({text})"
        case "over":
            return f"{enclosed}{NO_BREAK}/{NO_BREAK}{typeset(shown.constant)}"
        case "share":
            first = groups[0] if len(groups) > 1 or text.startswith("e") else typeset(shown.terms[0])
            return f"{first}{NO_BREAK}/ {enclosed}"
    return text
