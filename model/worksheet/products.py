"""Factors multiplied and added up: a score, or components of a context."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from model.worksheet.digits import FINEST, Line, added, printed, results, rounds_to

USUAL = 2  # digits of a score or a component after the point, as on the screens


@dataclass(frozen=True)
class Products:
    """A line gives one factor and then another for every sum; to be found are the products, a column a sum, and totals.

    `rests` are what all other products of a sum come to, and `rest_count` how many those are. No lines, no sum.
    """

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
) -> Products:
    """`others` has the second factors, one sequence a sum. Raises ValueError where no digits make the totals."""
    for result in results(USUAL):
        wanted = tuple(printed(total, result) for total in totals)
        for term in range(result, FINEST):
            columns = [
                tuple(printed(one * other, term) for one, other in zip(common, column, strict=True))
                for column in others
            ]
            left = tuple(printed(rest, term) for rest in rests)
            sums = [added([*column, rest]) for column, rest in zip(columns, left, strict=True)]
            if not all(rounds_to(each, total) for each, total in zip(sums, wanted, strict=True)):
                continue
            for factor in range(USUAL, FINEST):
                lines = tuple(
                    Line(label, tuple(printed(number, factor) for number in row), found)
                    for label, row, found in zip(
                        labels, zip(common, *others, strict=True), zip(*columns, strict=True), strict=True
                    )
                )
                if all(map(_comes_out, lines)):
                    return Products(lines, left, rest_count, wanted)
    raise ValueError(f"the products of {labels} cannot be written so that they make {totals}")


def _comes_out(line: Line) -> bool:
    one, *others = map(Decimal, line.given)
    return all(rounds_to(one * other, found) for other, found in zip(others, line.found, strict=True))
