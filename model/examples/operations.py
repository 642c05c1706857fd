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
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Values = Mapping[str, Float[ndarray, "..."]]  # of one run, by name
Names = tuple[str, ...]
PLAIN = 10.0  # up to this score, e^score is written directly


class MatrixCell(NamedTuple):
    """An entry of a matrix by the number of its operand and its place; all count from 0."""

    operand: int
    row: int
    column: int


class EntryTerm(NamedTuple):
    """One summand: its factors multiplied, or in a softmax, e to the power of its one factor."""

    factors: tuple[float, ...]
    value: float


def term(*factors: float) -> EntryTerm:
    """Return a product."""
    numbers = tuple(map(float, factors))
    return EntryTerm(numbers, math.prod(numbers))


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
        match self.ending:
            case "over":
                return self.total / self.constant
            case "share":
                return self.terms[0].value / self.total
            case "tanh":
                return math.tanh(self.total)
            case "masked":
                return -math.inf
        return self.total


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
    """One step of a worked example, made from the values named `parts`; by default they have the same shape, or are a
    row or a column that belongs to every row or column."""

    code: str  # NumPy, with the parts in order; `softmax` is a function of ours
    latex: str
    signs: Names = ()  # before each part but the first, as drawn

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    @property
    def numpy(self) -> str:
        """The expression that computes it from values by name."""
        return self.code.format(*self.parts)

    def formula(self, symbols: Mapping[str, str]) -> str:
        """Return the right side as LaTeX, from the symbols of the values."""
        return self.latex.format(*(symbols[part] for part in self.parts))

    def operands(self, values: Values) -> tuple[Operand, ...]:
        """Return the operands, in drawing order."""
        return tuple(Operand(name, sign=sign) for name, sign in zip(self.parts, ("", *self.signs), strict=True))

    def axes(self, known: Mapping[str, ValueAxes]) -> ValueAxes:
        """Return the axes of the result, from those of the values."""
        numbers, rows, columns = zip(*(known[part] for part in self.parts), strict=True)
        return ValueAxes(max(numbers), max(rows, key=len), max(columns, key=len))

    @abstractmethod
    def entry(self, values: Values, row: int, column: int) -> Entry:
        """Return the calculation of the entry at this place of the result."""


class Product(Operation):
    """left · right, or left · rightᵀ. A vector on the right is a column, as is the result.

    `over` is a number by which it is divided. `rest` is added: the part of components that are not shown.
    """

    def __init__(self, left: str, right: str, transposed: bool = False, over: str = "", rest: str = "") -> None:
        self.left, self.right, self.transposed, self.over, self.rest = left, right, transposed, over, rest
        product = f"{left} @ {right}{'.T' * transposed}"
        self.code = product + (f" / {over}" if over else f" + {rest}" if rest else "")
        super().__init__()

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
        others = [(column, k) if self.transposed or upright else (k, column) for k in inner]
        terms = [term(left[row, k], right[other]) for k, other in zip(inner, others, strict=True)]
        cells = [*(MatrixCell(0, row, k) for k in inner), *(MatrixCell(1, *other) for other in others)]
        if self.rest:
            terms.append(term(grid(values[self.rest])[place]))
            cells.append(MatrixCell(2, *place))
        if not self.over:
            return Entry(tuple(terms), tuple(cells))
        return Entry(tuple(terms), (*cells, MatrixCell(2, 0, 0)), "over", grid(values[self.over]).item())


class Softmax(Operation):
    """Each row on its own: e to the power of every score, divided by their sum."""

    code, latex = "softmax({})", r"\mathrm{{softmax}}({})"

    def entry(self, values: Values, row: int, column: int) -> Entry:
        scores = grid(values[self.parts[0]])[row]
        greatest = float(scores.max())
        taken = greatest if np.abs(scores[np.isfinite(scores)]).max() > PLAIN else 0.0
        order = [column, *(place for place in range(len(scores)) if place != column)]
        terms = tuple(EntryTerm((float(scores[place]),), math.exp(scores[place] - taken)) for place in order)
        return Entry(terms, tuple(MatrixCell(0, row, place) for place in order), "share", taken)


class Concat(Operation):
    """The parts side by side, in one row or in rows of the same number."""

    def __init__(self, *parts: str) -> None:
        super().__init__(*parts)
        self.code = f"np.concatenate([{', '.join(parts)}], axis=-1)"
        self.latex = f"[{' ; '.join(['{}'] * len(parts))}]"
        self.signs = (";",) * (len(parts) - 1)

    def axes(self, known: Mapping[str, ValueAxes]) -> ValueAxes:
        return known[self.parts[0]]._replace(columns=())

    def entry(self, values: Values, row: int, column: int) -> Entry:
        columns = [
            (operand, place) for operand, name in enumerate(self.parts) for place in range(grid(values[name]).shape[1])
        ]
        operand, place = columns[column]
        number = grid(values[self.parts[operand]])[row, place]
        return Entry((term(number),), (MatrixCell(operand, row, place),))


class Entrywise(Operation):
    """An operation on the entries at one place: products of the parts' numbers added up, then an ending. A part drawn
    after − is subtracted; with the ending "over", the last part divides the sum."""

    products: tuple[tuple[int, ...], ...] = ((0,),)  # of parts, counted from 0
    ending = "sum"

    def entry(self, values: Values, row: int, column: int) -> Entry:
        cells, numbers = [], []
        for operand, (name, sign) in enumerate(zip(self.parts, ("", *self.signs), strict=True)):
            part = grid(values[name])
            place = min(row, part.shape[0] - 1), min(column, part.shape[1] - 1)
            cells.append(MatrixCell(operand, *place))
            numbers.append(-float(part[place]) if sign == "−" else float(part[place]))
        terms = tuple(term(*(numbers[operand] for operand in product)) for product in self.products)
        return Entry(terms, tuple(cells), self.ending, numbers[-1] if self.ending == "over" else 0.0)


class Sum(Entrywise):
    """The parts added."""

    def __init__(self, *parts: str) -> None:
        super().__init__(*parts)
        self.products = tuple((operand,) for operand in range(len(parts)))
        self.code = self.latex = " + ".join(["{}"] * len(parts))
        self.signs = ("+",) * (len(parts) - 1)


class Tanh(Entrywise):
    """The hyperbolic tangent."""

    code, latex, ending = "np.tanh({})", r"\tanh {}", "tanh"


class Divided(Entrywise):
    """A matrix divided by a number."""

    code, latex, signs, ending = "{} / {}", "{} / {}", ("/",), "over"


class Masked(Entrywise):
    """Scores where the mask is 1, and −∞ where it is 0."""

    code, latex, signs = "np.where({1} > 0, {0}, -np.inf)", r"{} \text{{ where }} {} = 1", ("where",)

    def entry(self, values: Values, row: int, column: int) -> Entry:
        opened = super().entry(values, row, column)
        _, *place = opened.cells[1]
        return replace(opened, ending="open" if grid(values[self.parts[1]])[*place] else "masked")


class Standardised(Entrywise):
    """A matrix minus the mean of each row, divided by the deviation of each row; both are columns."""

    code, latex, signs, ending = "({} - {}) / {}", "({} - {}) / {}", ("−", "/"), "over"
    products = ((0,), (1,))


class Gained(Entrywise):
    """A matrix times the gain of each column, plus the bias of each column; both are rows."""

    code, latex, signs = "{} * {} + {}", r"{} \odot {} + {}", ("⊙", "+")
    products = ((0, 1), (2,))
