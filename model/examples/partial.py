"""Entries of matrices too large for a page: a few terms are shown separately, and all others as one sum.

(x W)_j = x_1 W_1j + … + x_k W_kj + rest_j
"""

from dataclasses import dataclass

from regard.model.examples.entries import Entry, EntryTerm, MatrixCell, Operand, Product, Values, grid


@dataclass(frozen=True)
class PartProduct:
    """left · right + rest, or left · rightᵀ + rest: the first two hold the components shown."""

    left: str
    right: str
    rest: str
    transposed: bool = False

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.left), Operand(self.right, self.transposed, "·"), Operand(self.rest, sign="+")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        shown = Product(self.left, self.right, self.transposed).entry(values, row, column)
        others = float(grid(values[self.rest])[row, column])
        rest = MatrixCell(self.rest, row, column, 2)
        return Entry((*shown.terms, EntryTerm((others,), others)), (*shown.cells, rest))


@dataclass(frozen=True)
class Divided:
    """Every entry divided by one number."""

    of: str
    by: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.of), Operand(self.by, sign="/")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        value = float(grid(values[self.of])[row, column])
        cells = MatrixCell(self.of, row, column), MatrixCell(self.by, 0, 0, 1)
        return Entry((EntryTerm((value,), value),), cells, "over", grid(values[self.by]).item())


@dataclass(frozen=True)
class Standardised:
    """Every entry minus the mean of its row, divided by the deviation of its row; both are columns."""

    of: str
    mean: str
    deviation: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.of), Operand(self.mean, sign="−"), Operand(self.deviation, sign="/")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        value = float(grid(values[self.of])[row, column])
        mean, deviation = (float(grid(values[name])[row, 0]) for name in (self.mean, self.deviation))
        cells = (
            MatrixCell(self.of, row, column),
            MatrixCell(self.mean, row, 0, 1),
            MatrixCell(self.deviation, row, 0, 2),
        )
        return Entry((EntryTerm((value,), value), EntryTerm((-mean,), -mean)), cells, "over", deviation)


@dataclass(frozen=True)
class Gained:
    """Every entry times the gain of its column, plus the bias of its column; both are rows."""

    of: str
    gain: str
    bias: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.of), Operand(self.gain, sign="⊙"), Operand(self.bias, sign="+")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        value = float(grid(values[self.of])[row, column])
        gain, bias = (float(grid(values[name])[0, column]) for name in (self.gain, self.bias))
        cells = (
            MatrixCell(self.of, row, column),
            MatrixCell(self.gain, 0, column, 1),
            MatrixCell(self.bias, 0, column, 2),
        )
        return Entry((EntryTerm((value, gain), value * gain), EntryTerm((bias,), bias)), cells)
