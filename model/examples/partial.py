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
        others = EntryTerm.product(grid(values[self.rest])[row, column])
        return Entry((*shown.terms, others), (*shown.cells, MatrixCell(self.rest, row, column, 2)))


@dataclass(frozen=True)
class Divided:
    """Every entry divided by one number."""

    of: str
    by: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.of), Operand(self.by, sign="/")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        term = EntryTerm.product(grid(values[self.of])[row, column])
        cells = MatrixCell(self.of, row, column), MatrixCell(self.by, 0, 0, 1)
        return Entry((term,), cells, "over", grid(values[self.by]).item())


@dataclass(frozen=True)
class Standardised:
    """Every entry minus the mean of its row, divided by the deviation of its row; both are columns."""

    of: str
    mean: str
    deviation: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.of), Operand(self.mean, sign="−"), Operand(self.deviation, sign="/")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        mean, deviation = (float(grid(values[name])[row, 0]) for name in (self.mean, self.deviation))
        terms = EntryTerm.product(grid(values[self.of])[row, column]), EntryTerm.product(-mean)
        cells = [MatrixCell(name, row, 0, place) for place, name in enumerate((self.mean, self.deviation), 1)]
        return Entry(terms, (MatrixCell(self.of, row, column), *cells), "over", deviation)


@dataclass(frozen=True)
class Gained:
    """Every entry times the gain of its column, plus the bias of its column; both are rows."""

    of: str
    gain: str
    bias: str

    def operands(self, values: Values) -> tuple[Operand, ...]:
        return Operand(self.of), Operand(self.gain, sign="⊙"), Operand(self.bias, sign="+")

    def entry(self, values: Values, row: int, column: int) -> Entry:
        gain, bias = (grid(values[name])[0, column] for name in (self.gain, self.bias))
        terms = EntryTerm.product(grid(values[self.of])[row, column], gain), EntryTerm.product(bias)
        cells = [MatrixCell(name, 0, column, place) for place, name in enumerate((self.gain, self.bias), 1)]
        return Entry(terms, (MatrixCell(self.of, row, column), *cells))
