"""Entries of a matrix opened: the terms that are added, the ending applied to their sum, and their places.

A matrix has rows and columns; a vector counts as one row. The arithmetic repeats NumPy's, entry by entry, and tests
compare the two.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Values = Mapping[str, Float[ndarray, "..."]]  # of one run, by name
PLAIN = 10.0  # up to this score, e^score is written directly


class MatrixCell(NamedTuple):
    """An entry of a matrix by its place; rows and columns count from 0, and so does the number of the operand."""

    matrix: str
    row: int
    column: int
    operand: int = 0


class EntryTerm(NamedTuple):
    """One summand: its factors multiplied, or in a softmax, e to the power of its one factor."""

    factors: tuple[float, ...]
    value: float

    @staticmethod
    def product(*factors: float) -> "EntryTerm":
        return EntryTerm(tuple(map(float, factors)), math.prod(map(float, factors)))


@dataclass(frozen=True)
class Entry:
    """One number opened: `combined` is the result of the terms, equal to the number up to rounding.

    `ending` names the last operation: "sum" none, "over" divides the sum by `constant`, "share" takes the first term's
    share of it, "tanh" its hyperbolic tangent, "open" lets a score through a mask, "masked" makes it −∞. In a share,
    `constant` was subtracted from every exponent.
    """

    terms: tuple[EntryTerm, ...]
    cells: tuple[MatrixCell, ...]  # the cells it is made from
    ending: str = "sum"
    constant: float = 0.0

    @property
    def total(self) -> float:
        return math.fsum(term.value for term in self.terms)

    @property
    def combined(self) -> float:
        return ENDINGS[self.ending](self)


ENDINGS = {
    "sum": lambda entry: entry.total,
    "over": lambda entry: entry.total / entry.constant,
    "share": lambda entry: entry.terms[0].value / entry.total,
    "tanh": lambda entry: math.tanh(entry.total),
    "open": lambda entry: entry.total,
    "masked": lambda entry: -math.inf,
}


class Operand(NamedTuple):
    """A matrix drawn before a result; `turn` draws its columns as rows."""

    name: str
    turn: bool = False
    sign: str = ""  # between it and the previous operand


@runtime_checkable
class Making(Protocol):
    """One step of a worked example."""

    def operands(self, values: Values) -> tuple[Operand, ...]:
        """Return the operands, in drawing order."""
        ...

    def entry(self, values: Values, row: int, column: int) -> Entry:
        """Return the calculation of the entry at this place of the result."""
        ...


def grid(array: Float[ndarray, "..."] | float) -> Float[ndarray, "R C"]:
    """Return a matrix as it is, a vector as one row, a number as one cell."""
    return np.atleast_2d(np.asarray(array, dtype=np.float64))


@dataclass(frozen=True)
class Product:
    """left · right, or left · rightᵀ, divided by `over` if any. A vector on the right is a column, as is the result."""

    left: str
    right: str
    transposed: bool = False
    over: str = ""

    def operands(self, values: Values) -> tuple[Operand, ...]:
        turn = self.transposed or values[self.right].ndim == 1
        both = Operand(self.left), Operand(self.right, turn, "·")
        return (*both, Operand(self.over, sign="/")) if self.over else both

    def entry(self, values: Values, row: int, column: int) -> Entry:
        left, right = grid(values[self.left]), grid(values[self.right])
        upright = values[self.right].ndim == 1
        if upright:  # the result is a vector, which counts as a row
            row, column = column, 0
        by_rows = self.transposed or upright
        inner = range(left.shape[1])
        places = [
            MatrixCell(self.right, column, k, 1) if by_rows else MatrixCell(self.right, k, column, 1) for k in inner
        ]
        terms = [EntryTerm.product(left[row, k], right[place.row, place.column]) for k, place in enumerate(places)]
        cells = (*(MatrixCell(self.left, row, k) for k in inner), *places)
        if not self.over:
            return Entry(tuple(terms), cells)
        return Entry(tuple(terms), (*cells, MatrixCell(self.over, 0, 0, 2)), "over", grid(values[self.over]).item())


@dataclass(frozen=True)
class Softmax:
    """Each row on its own: e to the power of every score, divided by their sum."""

    of: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return (Operand(self.of),)

    def entry(self, values: Values, row: int, column: int) -> Entry:
        scores = grid(values[self.of])[row]
        greatest = float(scores.max())
        taken = greatest if np.abs(scores[np.isfinite(scores)]).max() > PLAIN else 0.0
        order = [column, *(place for place in range(len(scores)) if place != column)]
        terms = tuple(EntryTerm((float(scores[place]),), math.exp(scores[place] - taken)) for place in order)
        return Entry(terms, tuple(MatrixCell(self.of, row, place) for place in order), "share", taken)


@dataclass(frozen=True)
class Tanh:
    """The hyperbolic tangent of every entry."""

    of: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return (Operand(self.of),)

    def entry(self, values: Values, row: int, column: int) -> Entry:
        term = EntryTerm.product(grid(values[self.of])[row, column])
        return Entry((term,), (MatrixCell(self.of, row, column),), "tanh")


@dataclass(frozen=True)
class Concat:
    """The parts side by side, in one row or in rows of the same number."""

    parts: tuple[str, ...]

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return tuple(Operand(name, sign=";" if place else "") for place, name in enumerate(self.parts))

    def entry(self, values: Values, row: int, column: int) -> Entry:
        for operand, name in enumerate(self.parts):
            part = grid(values[name])
            if column < part.shape[1]:
                return Entry((EntryTerm.product(part[row, column]),), (MatrixCell(name, row, column, operand),))
            column -= part.shape[1]
        raise IndexError(f"no column {column} in {' ; '.join(self.parts)}")


@dataclass(frozen=True)
class Sum:
    """The parts added, entry by entry; a part of one row is added to every row."""

    parts: tuple[str, ...]

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return tuple(Operand(name, sign="+" if place else "") for place, name in enumerate(self.parts))

    def entry(self, values: Values, row: int, column: int) -> Entry:
        terms, cells = [], []
        for operand, name in enumerate(self.parts):
            part = grid(values[name])
            place = MatrixCell(name, min(row, len(part) - 1), column, operand)
            terms.append(EntryTerm.product(part[place.row, column]))
            cells.append(place)
        return Entry(tuple(terms), tuple(cells))


@dataclass(frozen=True)
class Masked:
    """The scores where the mask is 1, and −∞ where it is 0."""

    of: str
    mask: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.of), Operand(self.mask, sign="where")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        score, open_ = (grid(values[name])[row, column] for name in (self.of, self.mask))
        cells = (MatrixCell(self.of, row, column), MatrixCell(self.mask, row, column, 1))
        return Entry((EntryTerm.product(score),), cells, "open" if open_ else "masked")
