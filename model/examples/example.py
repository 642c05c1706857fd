"""What a worked example is: a NumPy function, the matrices that it is given, and what is said of each of its steps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.examples.entries import Making, Values, grid
from regard.model.input_error import InputError

Array = Float[ndarray, "..."]
LARGEST = 8  # rows or columns
FARTHEST = 1e3  # a number beyond it is refused
SPREAD = 1.0  # random entries lie between −1 and 1, with one digit after the point


@dataclass(frozen=True, eq=False)
class Given:
    """A matrix, a vector or a number that the reader may change. `sizes` names each of its axes."""

    name: str  # the function's argument
    symbol: str  # LaTeX
    text: str  # what it is, in a sentence
    values: Array
    sizes: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()  # what each row is about, such as a word
    columns: tuple[str, ...] = ()
    stated: bool = False  # ours: the document that the example comes from leaves it out
    least: float = -FARTHEST  # a number below it is refused
    mask: bool = False  # of 0 (hidden) and 1 (seen), with a 1 in every row

    def __post_init__(self) -> None:
        if self.values.flags.writeable or self.values.dtype != np.float64:
            own = np.array(self.values, dtype=np.float64)
            own.setflags(write=False)  # all visitors share it
            object.__setattr__(self, "values", own)

    @property
    def accepted(self) -> str:
        """The numbers that it may have, in words."""
        if self.mask:
            return "0 (hidden) or 1 (seen)"
        return f"a number from {self.least:g} to {FARTHEST:g}".replace("-", "−")

    def accepts(self, number: float) -> bool:
        return bool(number in (0, 1) if self.mask else self.least <= number <= FARTHEST)


@dataclass(frozen=True, eq=False)
class Step:
    """One local value of the function."""

    name: str
    symbol: str  # LaTeX
    formula: str  # LaTeX: what it equals
    text: str  # what happens, in a sentence or two
    making: Making
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    printed: Array | None = None  # what the document has in its place, to the digits that it prints
    digits: int = 3  # after the point, in print


@dataclass(frozen=True)
class Example:
    """`function` returns all its local values, in the order in which they are made."""

    name: str
    title: str
    text: str  # what it shows, in a sentence or two
    source: str  # where its numbers are from
    function: Callable[..., Values]
    givens: tuple[Given, ...]
    steps: tuple[Step, ...]
    sizes: Mapping[str, str] = field(default_factory=dict)  # what each letter of the sizes counts, for those to change
    notes: tuple[str, ...] = ()  # what has to be said beside it
    before: tuple[Given, ...] = ()  # what the document prints and no step needs

    def matrices(self) -> dict[str, Array]:
        """The matrices as the example states them, in float64 and read-only."""
        return {given.name: given.values for given in self.givens}

    def run(self, matrices: Mapping[str, Array] | None = None) -> Values:
        """Every value by name: what is given, then each step. Raises InputError for matrices that do not fit."""
        given = self.matrices() if matrices is None else dict(matrices)
        self.check(given)
        return self.function(**given)

    def check(self, matrices: Mapping[str, Array]) -> None:
        """Raises InputError naming the matrix, the place, what was found and what is accepted."""
        sizes = self.sizes_of(matrices)
        for given in self.givens:
            array, needed = np.asarray(matrices[given.name]), tuple(size(axis, sizes) for axis in given.sizes)
            if array.shape != needed:
                raise InputError(f"{given.name} has shape {_by(array.shape)}; {_by(needed)} is needed")
            for place, number in np.ndenumerate(array):
                if not given.accepts(number):
                    where = f" {tuple(index + 1 for index in place)}" if place else ""
                    raise InputError(f"{given.name}{where} is {number:g}; accepted is {given.accepted}")
            if given.mask:
                _check_mask(given.name, array)

    def sizes_of(self, matrices: Mapping[str, Array]) -> dict[str, int]:
        """How many there are of what each letter counts, by the first matrix that has such an axis.

        Raises InputError where that is not 1 to `LARGEST`.
        """
        sizes: dict[str, int] = {}
        for given in self.givens:
            shape = np.asarray(matrices[given.name]).shape
            if len(shape) != len(given.sizes):
                raise InputError(f"{given.name} has {len(shape)} axes; {len(given.sizes)} are needed")
            for letter, length in zip(given.sizes, shape, strict=True):
                if "+" not in letter and not 1 <= sizes.setdefault(letter, length) <= LARGEST:
                    raise InputError(f"{given.name} has shape {_by(shape)}; accepted is 1 to {LARGEST} of each")
        return sizes

    def random(self, sizes: Mapping[str, int], seed: int) -> dict[str, Array]:
        """Matrices of these sizes, drawn with this seed; a number stays as it is."""
        generator = np.random.default_rng(seed)
        return {given.name: _drawn(given, sizes, generator) for given in self.givens}

    def resized(self, sizes: Mapping[str, int], seed: int) -> dict[str, Array]:
        """Matrices of these sizes: the example's own numbers where it has some, drawn with this seed elsewhere."""
        drawn = self.random(sizes, seed)
        return {name: fitted(own, drawn[name]) for name, own in self.matrices().items()}


def fitted(array: Array, onto: Array) -> Array:
    """The second of them, with the numbers of the first wherever both have a place."""
    common = tuple(slice(min(one, other)) for one, other in zip(array.shape, onto.shape, strict=True))
    array_fitted = onto.copy()
    array_fitted[common] = array[common]
    return array_fitted


def size(axis: str, sizes: Mapping[str, int]) -> int:
    """The length of an axis, which is a letter or a sum of letters such as H+E."""
    return sum(sizes[letter] for letter in axis.split("+"))


def _drawn(given: Given, sizes: Mapping[str, int], generator: np.random.Generator) -> Array:
    """A mask keeps its pattern; what is new is seen, but for what comes later where the pattern hides all of that."""
    if not given.sizes:
        return np.asarray(given.values, dtype=np.float64)
    shape = [size(axis, sizes) for axis in given.sizes]
    if given.mask:
        seen = np.ones(shape)
        return fitted(given.values, seen if np.triu(given.values, 1).any() else np.tril(seen))
    return np.round(generator.uniform(-SPREAD, SPREAD, shape), 1) + 0.0


def _check_mask(name: str, mask: Array) -> None:
    for row in np.flatnonzero(~np.atleast_2d(mask).any(axis=-1)):
        raise InputError(
            f"{name} hides every position of row {int(row) + 1}, so that there is nothing its weights could be shared "
            "among; accepted is a 1 in every row"
        )


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "a single number"


TIE = 1.000001  # of half a digit: a number in the middle may be rounded either way


def changed(example: Example, matrices: Mapping[str, Array]) -> tuple[str, ...]:
    """The names of the matrices that are not as the example states them."""
    return tuple(name for name, stated in example.matrices().items() if not np.array_equal(matrices[name], stated))


def wrong(step: Step, value: Array) -> Bool[ndarray, "..."]:
    """Which of the printed numbers are not the computed ones, rounded as they are; none where nothing is printed."""
    printed = value if step.printed is None else step.printed
    return np.abs(printed - value) > TIE * 0.5 * 10.0**-step.digits


def retold(example: Example) -> dict[str, Array]:
    """Each step computed from the numbers that are printed before it, where some are printed, else from its own.

    So one tells a number that is wrong of itself from one that carries an earlier mistake on.
    """
    known: dict[str, Array] = dict(example.matrices())
    values: dict[str, Array] = {}
    for step in example.steps:
        shape = grid(example.run()[step.name]).shape
        entries = [step.making.entry(known, row, column).combined for row, column in np.ndindex(*shape)]
        values[step.name] = np.array(entries).reshape(np.shape(example.run()[step.name]))
        known[step.name] = values[step.name] if step.printed is None else step.printed
    return values


def slips(example: Example, step: Step) -> Bool[ndarray, "..."]:
    """Which of the printed numbers do not even follow from what is printed before them."""
    return wrong(step, retold(example)[step.name])
