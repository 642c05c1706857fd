"""Worked example: matrices that a reader may change, and the steps that follow from them.

A step says how it is made by its operation, whose line of NumPy is what runs here, is shown, and is downloaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.examples.operations import Names, Operation, ValueAxes, Values
from regard.model.input_error import InputError
from regard.model.reference.formulas import softmax

Array = Float[ndarray, "..."]
MOST_ROWS = 8  # rows or columns
FARTHEST = 1e3  # numbers beyond it are refused
SPREAD = 1.0  # random entries lie between −1 and 1, with one digit after the point


@dataclass(frozen=True, eq=False)
class Given:
    """A matrix, a vector or a number that the reader may change. `sizes` names each of its axes."""

    name: str  # in code
    symbol: str  # LaTeX
    text: str  # its meaning, in a sentence
    values: Array
    sizes: Names = ()
    rows: Names = ()  # the name of each row, such as a word
    columns: Names = ()
    stated: bool = False  # true if ours: the example's document leaves it out
    least: float = -FARTHEST  # numbers below it are refused
    mask: bool = False  # of 0 (masked) and 1 (visible), with a 1 in every row

    def __post_init__(self) -> None:
        if self.values.flags.writeable or self.values.dtype != np.float64:
            own = np.array(self.values, dtype=np.float64)
            own.setflags(write=False)  # all visitors share it
            object.__setattr__(self, "values", own)

    @property
    def accepted(self) -> str:
        """Describe the accepted numbers."""
        if self.mask:
            return "0 (masked) or 1 (visible)"
        return f"a number from {self.least:g} to {FARTHEST:g}".replace("-", "−")

    def accepts(self, number: float) -> bool:
        return bool(number in (0, 1) if self.mask else self.least <= number <= FARTHEST)


@dataclass(frozen=True, eq=False)
class Step:
    """One computed value. An example fills in the formula, where none is written, and the names of rows and columns."""

    name: str  # in code
    symbol: str  # LaTeX
    operation: Operation
    text: str  # what happens, in a sentence or two
    formula: str = ""  # LaTeX: the right side
    printed: Array | None = None  # the document's numbers, to their printed digits
    digits: int = 3  # decimals in print
    rows: Names = ()
    columns: Names = ()

    def made(self, values: Values) -> Array:
        """Compute it from the values before it, by the line of NumPy that is shown."""
        return eval(self.operation.numpy, {"np": np, "softmax": softmax}, dict(values))


@dataclass(frozen=True)
class Example:
    """A worked example; its steps are computed in order."""

    name: str
    title: str
    text: str  # its purpose, in a sentence or two
    source: str  # the origin of its numbers
    givens: tuple[Given, ...]
    steps: tuple[Step, ...]
    sizes: Mapping[str, str] = field(default_factory=dict)  # the meaning of each letter whose size can change
    notes: tuple[str, ...] = ()  # remarks beside it
    one_call: tuple[str, str] = ("", "")  # a step's name, and PyTorch that computes all of it at once

    def __post_init__(self) -> None:
        symbols = {one.name: one.symbol for one in (*self.givens, *self.steps)}
        axes = {given.name: ValueAxes(given.values.ndim, given.rows, given.columns) for given in self.givens}
        steps = []
        for step in self.steps:
            axes[step.name] = made = step.operation.axes(axes)
            formula = step.formula or step.operation.formula(symbols)
            steps.append(replace(step, formula=formula, rows=made.rows, columns=made.columns))
        object.__setattr__(self, "steps", tuple(steps))

    def matrices(self) -> dict[str, Array]:
        """Return the example's own matrices, in float64 and read-only."""
        return {given.name: given.values for given in self.givens}

    def run(self, matrices: Mapping[str, Array] | None = None) -> Values:
        """Return every value by name, given ones first. Raises InputError for matrices that do not fit."""
        given = self.matrices() if matrices is None else dict(matrices)
        self.check(given)
        return self.computed(given)

    def computed(self, matrices: Mapping[str, Array]) -> Values:
        """Return every value by name, for matrices that fit."""
        values = dict(matrices)
        for step in self.steps:
            values[step.name] = step.made(values)
        return values

    def check(self, matrices: Mapping[str, Array]) -> None:
        """Check the matrices. Raises InputError naming the matrix, the place, the value and the accepted values."""
        sizes = self.sizes_of(matrices)
        for given in self.givens:
            array, needed = np.asarray(matrices[given.name]), tuple(size(axis, sizes) for axis in given.sizes)
            if array.shape != needed:
                raise InputError(f"{given.name} has shape {_by(array.shape)}; {_by(needed)} is needed")
            for place, number in np.ndenumerate(array):
                if not given.accepts(number):
                    where = f" {tuple(index + 1 for index in place)}" if place else ""
                    raise InputError(f"{given.name}{where} is {number:g}; accepted is {given.accepted}")
            for row in np.flatnonzero(~np.atleast_2d(array).any(axis=-1)) if given.mask else ():
                raise InputError(f"{given.name} leaves nothing visible in row {row + 1}; accepted is a 1 in every row")

    def sizes_of(self, matrices: Mapping[str, Array]) -> dict[str, int]:
        """Return the size of each letter, given by the first matrix with such an axis. Raises InputError
        unless it is 1 to `MOST_ROWS`."""
        sizes: dict[str, int] = {}
        for given in self.givens:
            shape = np.asarray(matrices[given.name]).shape
            if len(shape) != len(given.sizes):
                raise InputError(f"{given.name} has {len(shape)} axes; {len(given.sizes)} are needed")
            for letter, length in zip(given.sizes, shape, strict=True):
                if "+" not in letter and not 1 <= sizes.setdefault(letter, length) <= MOST_ROWS:
                    raise InputError(f"{given.name} has shape {_by(shape)}; accepted is 1 to {MOST_ROWS} of each")
        return sizes

    def random(self, sizes: Mapping[str, int], seed: int) -> dict[str, Array]:
        """Return random matrices of these sizes from this seed; a single number stays as it is."""
        generator = np.random.default_rng(seed)
        return {given.name: _random(given, sizes, generator) for given in self.givens}

    def resized(self, sizes: Mapping[str, int], seed: int) -> dict[str, Array]:
        """Return matrices of these sizes: the example's own numbers where they fit, random ones elsewhere."""
        drawn = self.random(sizes, seed)
        return {name: fitted(own, drawn[name]) for name, own in self.matrices().items()}


def drawn(seed: int, *shapes: tuple[int, ...], greatest: float) -> tuple[Array, ...]:
    """Return an array of each shape, of uniform numbers from −greatest to greatest, with one decimal."""
    generator = np.random.default_rng(seed)
    return tuple(np.round(generator.uniform(-greatest, greatest, shape), 1) + 0.0 for shape in shapes)  # no −0


def fitted(array: Array, onto: Array) -> Array:
    """Return `onto` with the numbers of `array` where the two overlap."""
    common = tuple(slice(min(one, other)) for one, other in zip(array.shape, onto.shape, strict=True))
    array_fitted = onto.copy()
    array_fitted[common] = array[common]
    return array_fitted


def size(axis: str, sizes: Mapping[str, int]) -> int:
    """Return the length of an axis, which is a letter or a sum of letters such as H+E."""
    return sum(sizes[letter] for letter in axis.split("+"))


def _random(given: Given, sizes: Mapping[str, int], generator: np.random.Generator) -> Array:
    """Return random numbers; a mask keeps its pattern, and new entries are visible unless causality masks them."""
    if not given.sizes:
        return np.asarray(given.values, dtype=np.float64)
    shape = [size(axis, sizes) for axis in given.sizes]
    if given.mask:
        seen = np.ones(shape)
        return fitted(given.values, seen if np.triu(given.values, 1).any() else np.tril(seen))
    return np.round(generator.uniform(-SPREAD, SPREAD, shape), 1) + 0.0


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "a single number"


TIE = 1.000001  # of half a digit: a number in the middle may be rounded either way


def changed(example: Example, matrices: Mapping[str, Array]) -> tuple[str, ...]:
    """Return the names of the matrices that differ from the example's own."""
    return tuple(name for name, stated in example.matrices().items() if not np.array_equal(matrices[name], stated))


def wrong(step: Step, value: Array) -> Bool[ndarray, "..."]:
    """Mark the printed numbers that differ from the computed ones, rounded alike; none without printed numbers."""
    printed = value if step.printed is None else step.printed
    return np.abs(printed - value) > TIE * 0.5 * 10.0**-step.digits


def slips(example: Example, step: Step) -> Bool[ndarray, "..."]:
    """Mark the printed numbers of a step that do not even follow from those printed before them. The others that are
    wrong carry on an earlier mistake."""
    known = example.matrices()
    for each in example.steps:
        found = each.made(known)
        if each is step:
            return wrong(step, found)
        known[each.name] = found if each.printed is None else each.printed
    raise InputError(f"{step.name} is no step of {example.name}")
