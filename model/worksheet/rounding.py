"""Rounding: choose digits so that calculating with the printed numbers, in sums, products and softmax, gives the
printed results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import product
from math import exp, fsum
from typing import NamedTuple

from regard.model.input_error import InputError

FINEST = 9  # most decimals tried


class Line(NamedTuple):
    """A row of a table: given numbers and numbers to find, as printed."""

    label: str
    given: tuple[str, ...]
    found: tuple[str, ...]


def printed(value: float, places: int) -> str:
    """Round to `places` decimals; zero has no sign."""
    text = f"{value:.{places}f}"
    return text if float(text) else text.lstrip("-")


def rounds_to(value: Decimal, text: str) -> bool:
    """True if a value rounded to the digits of `text` gives `text`, whichever way halves are rounded."""
    return abs(value - Decimal(text)) < Decimal("0.5").scaleb(-places(text))


def places(text: str) -> int:
    """Return the number of decimals."""
    return len(text.partition(".")[2])


def gives(result: str, number: str) -> bool:
    """True if an earlier result, rounded if it has more decimals, is this number."""
    return Decimal(result) == Decimal(number) or places(result) > places(number)


def added(numbers: Sequence[str]) -> Decimal:
    return sum(map(Decimal, numbers), Decimal(0))


def results(usual: int) -> Iterator[int]:
    """Yield the decimals to try for a result: the usual number, then more, then fewer."""
    yield from range(usual, FINEST)
    yield from range(usual - 1, -1, -1)


LEAST = 2  # nonzero products that a sum must have, if few digits show them
FEW_DIGITS = 7  # the most digits that count as few
COMPONENT_DIGITS = 2  # decimals of a score or a component, as on the screens


@dataclass(frozen=True)
class Products:
    """Given pairs of factors per line, find the products, a column per sum, and the totals. `rests` are the totals of
    each sum's other products, and `rest_count` their number. Without lines there is no sum."""

    lines: tuple[Line, ...] = ()
    rests: tuple[str, ...] = ()
    rest_count: int = 0
    totals: tuple[str, ...] = ()


def products(
    labels: Sequence[str],
    common: Sequence[float],
    others: Sequence[Sequence[float]],
    rests: Sequence[float],
    rest_count: int,
    totals: Sequence[float],
    usual: int = COMPONENT_DIGITS,
    copied: Sequence[str] = (),
) -> Products:
    """Build the exercise; `others` has the second factors per sum, and the totals have `usual` decimals if possible.
    `copied` are the first factors as printed, if they are results of another exercise. Each sum has at least two
    products that are not printed as zeros, if some digits show them. Raises InputError if no digits give the totals."""
    for least, result in product((LEAST, 0), results(usual)):
        wanted = tuple(printed(total, result) for total in totals)
        for term in range(result, FEW_DIGITS if least else FINEST):
            columns = [
                tuple(printed(one * other, term) for one, other in zip(common, column, strict=True))
                for column in others
            ]
            if any(sum(bool(float(number)) for number in column) < least for column in columns):
                continue
            left = tuple(printed(rest, term) for rest in rests)
            sums = [added([*column, rest]) for column, rest in zip(columns, left, strict=True)]
            if not all(rounds_to(each, total) for each, total in zip(sums, wanted, strict=True)):
                continue
            for factor in range(COMPONENT_DIGITS, FINEST):
                firsts = copied or [printed(one, factor) for one in common]
                given = [firsts, *([printed(other, factor) for other in column] for column in others)]
                lines = tuple(map(Line, labels, zip(*given, strict=True), zip(*columns, strict=True)))
                if all(map(_comes_out, lines)):
                    return Products(lines, left, rest_count, wanted)
    raise InputError(f"the products of {labels} cannot be written so that they make {totals}")


def _comes_out(line: Line) -> bool:
    one, *others = map(Decimal, line.given)
    return all(rounds_to(one * other, total) for other, total in zip(others, line.found, strict=True))


FEWER = 2  # digits that a sum may have fewer than its terms
SHARE_DIGITS = 3  # decimals of a share: one decimal in percent, as on the screens


@dataclass(frozen=True)
class SoftmaxExercise:
    """Given scores, find e^(score − greatest), then their sum, then the weights. `rest` is the sum of the powers of all
    other scores, and `rest_count` their number."""

    lines: tuple[Line, ...]
    greatest: str
    rest: str
    rest_count: int
    total: str


@dataclass(frozen=True)
class Chances:
    """Given logits, find e^(logit − log-normaliser), and the rest for all other tokens."""

    lines: tuple[Line, ...]
    log_normaliser: str
    rest: str


def weights(
    labels: Sequence[str],
    scores: Sequence[float],
    others: Sequence[float],
    shares: Sequence[float],
    usual: int = SHARE_DIGITS,
) -> SoftmaxExercise:
    """Build the exercise; `others` are scores in the rest, and the shares have `usual` decimals if possible. Raises
    InputError if no digits give the shares."""
    greatest = max(*scores, *others)
    exact = [exp(score - greatest) for score in scores]
    left = fsum(exp(score - greatest) for score in others)
    for result in results(usual):
        wanted = [printed(share, result) for share in shares]
        for term in range(max(1, result), FINEST):
            powers, rest = [printed(power, term) for power in exact], printed(left, term)
            total = _total(fsum(exact) + left, added([*powers, rest]), term)
            if not total or not all(map(partial(_share, total), powers, wanted)):
                continue
            for digits in range(2, FINEST):
                given, most = [printed(score, digits) for score in scores], printed(greatest, digits)
                if all(map(partial(_power, most), given, powers)):
                    lines = map(Line, labels, zip(given, strict=True), zip(powers, wanted, strict=True))
                    return SoftmaxExercise(tuple(lines), most, rest, len(others), total)
    raise InputError(f"the scores {scores} cannot be written so that they make {shares}")


def chances(
    labels: Sequence[str], logits: Sequence[float], log_normaliser: float, probabilities: Sequence[float]
) -> Chances:
    """Build the exercise. Raises InputError if no digits give the probabilities."""
    whole = ((0, result) for result in (SHARE_DIGITS, SHARE_DIGITS + 1))  # the rest has all digits of the others' sum
    for fewer, result in (*whole, *((FEWER, result) for result in results(SHARE_DIGITS))):
        wanted = [printed(probability, result) for probability in probabilities]
        rest = _total(1 - fsum(probabilities), 1 - added(wanted), result, fewer)
        if not rest:
            continue
        for digits in range(2, FINEST):
            given, normaliser = [printed(logit, digits) for logit in logits], printed(log_normaliser, digits)
            if all(map(partial(_power, normaliser), given, wanted)):
                lines = map(Line, labels, zip(given, strict=True), zip(wanted, strict=True))
                return Chances(tuple(lines), normaliser, rest)
    raise InputError(f"the logits {logits} cannot be written so that they make {probabilities}")


def _total(exact: float, redone: Decimal, most: int, fewer: int = FEWER) -> str:
    """Return a sum that follows from its printed terms, with as many digits or up to `fewer` fewer; "" if none does."""
    tries = (printed(exact, digits) for digits in range(most, max(0, most - fewer - 1), -1))
    return next((each for each in tries if rounds_to(redone, each)), "")


def _share(total: str, power: str, share: str) -> bool:
    return rounds_to(Decimal(power) / Decimal(total), share)


def _power(taken: str, number: str, power: str) -> bool:
    """True if e to the power of the difference rounds to the printed power."""
    return rounds_to((Decimal(number) - Decimal(taken)).exp(), power)
