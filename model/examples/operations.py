"""Operations of worked examples: how a step is made, declared once for everything that shows it.

An operation knows its line of NumPy, its formula as LaTeX, the matrices drawn before its result, the names that rows
and columns of the result inherit, and the arithmetic of each entry. A matrix has rows and columns; a vector counts as
one row.

    Product(A, B)          A · B, or A · Bᵀ, divided by a number, or plus a rest that is not shown
    Softmax(A)             of each row
    Concat(A, B)           side by side
    Sum(A, B), Tanh(A), Divided(A, n), Masked(A, M), Standardised(A, μ, σ), Gained(A, g, b)      entry by entry
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Values = Mapping[str, Float[ndarray, "..."]]  # of one run, by name
Names = tuple[str, ...]
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


ENDINGS: dict[str, Callable[[Entry], float]] = {
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


class ValueAxes(NamedTuple):
    """The number of axes of a value, and the names of its rows and columns, if they have names."""

    number: int
    rows: Names = ()
    columns: Names = ()


def grid(array: Float[ndarray, "..."] | float) -> Float[ndarray, "R C"]:
    """Return a matrix as it is, a vector as one row, a number as one cell."""
    return np.atleast_2d(np.asarray(array, dtype=np.float64))


class Operation(ABC):
    """One step of a worked example."""

    @property
    @abstractmethod
    def numpy(self) -> str:
        """The expression that computes it from values by name; `softmax` is a function of ours."""

    @abstractmethod
    def formula(self, symbols: Mapping[str, str]) -> str:
        """Return the right side as LaTeX, from the symbols of the values."""

    @abstractmethod
    def operands(self, values: Values) -> tuple[Operand, ...]:
        """Return the operands, in drawing order."""

    @abstractmethod
    def axes(self, known: Mapping[str, ValueAxes]) -> ValueAxes:
        """Return the axes of the result, from those of the values."""

    @abstractmethod
    def entry(self, values: Values, row: int, column: int) -> Entry:
        """Return the calculation of the entry at this place of the result."""


@dataclass(frozen=True)
class Product(Operation):
    """left · right, or left · rightᵀ. A vector on the right is a column, as is the result.

    `over` is a number by which it is divided. `rest` is added: the part of components that are not shown.
    """

    left: str
    right: str
    transposed: bool = False
    over: str = ""
    rest: str = ""

    @property
    def numpy(self) -> str:
        product = f"{self.left} @ {self.right}{'.T' * self.transposed}"
        return product + (f" / {self.over}" if self.over else f" + {self.rest}" if self.rest else "")

    def formula(self, symbols: Mapping[str, str]) -> str:
        left, right = symbols[self.left], symbols[self.right]
        if (left, right) == (r"\alpha", "H"):
            return r"\sum_i \alpha_i h_i"  # as papers write the context
        space = r"\," if right[0] in "[\\" or left.endswith("]") else " "
        over = f" / {symbols[self.over]}" if self.over else ""
        return left + space + right + r"^\top" * self.transposed + over

    def operands(self, values: Values) -> tuple[Operand, ...]:
        turn = self.transposed or values[self.right].ndim == 1
        last = [Operand(self.over, sign="/")] * bool(self.over) + [Operand(self.rest, sign="+")] * bool(self.rest)
        return (Operand(self.left), Operand(self.right, turn, "·"), *last)

    def axes(self, known: Mapping[str, ValueAxes]) -> ValueAxes:
        left, right = known[self.left], known[self.right]
        if right.number == 1:
            return ValueAxes(1, (), left.rows)
        return ValueAxes(left.number, left.rows, right.rows if self.transposed else right.columns)

    def entry(self, values: Values, row: int, column: int) -> Entry:
        left, right = grid(values[self.left]), grid(values[self.right])
        place = row, column
        if upright := values[self.right].ndim == 1:  # the result is a vector, which counts as a row
            row, column = column, 0
        inner = range(left.shape[1])
        cells = [MatrixCell(self.left, row, k) for k in inner]
        if self.transposed or upright:
            cells += [MatrixCell(self.right, column, k, 1) for k in inner]
        else:
            cells += [MatrixCell(self.right, k, column, 1) for k in inner]
        terms = [EntryTerm.product(left[row, k], right[cells[len(inner) + k][1:3]]) for k in inner]
        if self.rest:
            terms.append(EntryTerm.product(grid(values[self.rest])[place]))
            cells.append(MatrixCell(self.rest, *place, 2))
        if not self.over:
            return Entry(tuple(terms), tuple(cells))
        divisor = grid(values[self.over]).item()
        return Entry(tuple(terms), (*cells, MatrixCell(self.over, 0, 0, 2)), "over", divisor)


@dataclass(frozen=True)
class Softmax(Operation):
    """Each row on its own: e to the power of every score, divided by their sum."""

    of: str

    @property
    def numpy(self) -> str:
        return f"softmax({self.of})"

    def formula(self, symbols: Mapping[str, str]) -> str:
        return rf"\mathrm{{softmax}}({symbols[self.of]})"

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return (Operand(self.of),)

    def axes(self, known: Mapping[str, ValueAxes]) -> ValueAxes:
        return known[self.of]

    def entry(self, values: Values, row: int, column: int) -> Entry:
        scores = grid(values[self.of])[row]
        greatest = float(scores.max())
        taken = greatest if np.abs(scores[np.isfinite(scores)]).max() > PLAIN else 0.0
        order = [column, *(place for place in range(len(scores)) if place != column)]
        terms = tuple(EntryTerm((float(scores[place]),), math.exp(scores[place] - taken)) for place in order)
        return Entry(terms, tuple(MatrixCell(self.of, row, place) for place in order), "share", taken)


class Concat(Operation):
    """The parts side by side, in one row or in rows of the same number."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    @property
    def numpy(self) -> str:
        return f"np.concatenate([{', '.join(self.parts)}], axis=-1)"

    def formula(self, symbols: Mapping[str, str]) -> str:
        return f"[{' ; '.join(symbols[part] for part in self.parts)}]"

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return tuple(Operand(name, sign=";" if place else "") for place, name in enumerate(self.parts))

    def axes(self, known: Mapping[str, ValueAxes]) -> ValueAxes:
        return known[self.parts[0]]._replace(columns=())

    def entry(self, values: Values, row: int, column: int) -> Entry:
        for operand, name in enumerate(self.parts):
            part = grid(values[name])
            if column < part.shape[1]:
                return Entry((EntryTerm.product(part[row, column]),), (MatrixCell(name, row, column, operand),))
            column -= part.shape[1]
        raise IndexError(f"no column {column} in {' ; '.join(self.parts)}")


class Entrywise(Operation):
    """An operation on the entries at one place; a part of one row or column belongs to every row or column."""

    code: str  # NumPy, with the parts in order
    latex: str
    signs: Names = ()  # before each part but the first, as drawn

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    @property
    def numpy(self) -> str:
        return self.code.format(*self.parts)

    def formula(self, symbols: Mapping[str, str]) -> str:
        return self.latex.format(*(symbols[part] for part in self.parts))

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return tuple(Operand(name, sign=sign) for name, sign in zip(self.parts, ("", *self.signs), strict=True))

    def axes(self, known: Mapping[str, ValueAxes]) -> ValueAxes:
        numbers, rows, columns = zip(*(known[part] for part in self.parts), strict=True)
        return ValueAxes(max(numbers), max(rows, key=len), max(columns, key=len))

    def entry(self, values: Values, row: int, column: int) -> Entry:
        cells, numbers = [], []
        for operand, name in enumerate(self.parts):
            part = grid(values[name])
            place = min(row, part.shape[0] - 1), min(column, part.shape[1] - 1)
            cells.append(MatrixCell(name, *place, operand))
            numbers.append(float(part[place]))
        return self.combined(tuple(cells), *numbers)

    @abstractmethod
    def combined(self, cells: tuple[MatrixCell, ...], *numbers: float) -> Entry:
        """Return the calculation with the parts' numbers at one place."""


class Sum(Entrywise):
    """The parts added."""

    def __init__(self, *parts: str) -> None:
        super().__init__(*parts)
        self.code = self.latex = " + ".join(["{}"] * len(parts))
        self.signs = ("+",) * (len(parts) - 1)

    def combined(self, cells: tuple[MatrixCell, ...], *numbers: float) -> Entry:
        return Entry(tuple(map(EntryTerm.product, numbers)), cells)


class Tanh(Entrywise):
    """The hyperbolic tangent."""

    code, latex = "np.tanh({})", r"\tanh {}"

    def combined(self, cells: tuple[MatrixCell, ...], *numbers: float) -> Entry:
        return Entry((EntryTerm.product(*numbers),), cells, "tanh")


class Divided(Entrywise):
    """A matrix divided by a number."""

    code, latex, signs = "{} / {}", "{} / {}", ("/",)

    def combined(self, cells: tuple[MatrixCell, ...], *numbers: float) -> Entry:
        number, divisor = numbers
        return Entry((EntryTerm.product(number),), cells, "over", divisor)


class Masked(Entrywise):
    """Scores where the mask is 1, and −∞ where it is 0."""

    code, latex, signs = "np.where({1} > 0, {0}, -np.inf)", r"{} \text{{ where }} {} = 1", ("where",)

    def combined(self, cells: tuple[MatrixCell, ...], *numbers: float) -> Entry:
        score, seen = numbers
        return Entry((EntryTerm.product(score),), cells, "open" if seen else "masked")


class Standardised(Entrywise):
    """A matrix minus the mean of each row, divided by the deviation of each row; both are columns."""

    code, latex, signs = "({} - {}) / {}", "({} - {}) / {}", ("−", "/")

    def combined(self, cells: tuple[MatrixCell, ...], *numbers: float) -> Entry:
        number, mean, deviation = numbers
        return Entry((EntryTerm.product(number), EntryTerm.product(-mean)), cells, "over", deviation)


class Gained(Entrywise):
    """A matrix times the gain of each column, plus the bias of each column; both are rows."""

    code, latex, signs = "{} * {} + {}", r"{} \odot {} + {}", ("⊙", "+")

    def combined(self, cells: tuple[MatrixCell, ...], *numbers: float) -> Entry:
        number, gain, bias = numbers
        return Entry((EntryTerm.product(number, gain), EntryTerm.product(bias)), cells)
