"""Edits of a worked example: the edited matrices as one value, and the state of its tables.

The edited matrices are also a piece of the page's link. Everything in a link is untrusted text: values that do not fit
are clamped or dropped, never an error.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from regard.model.examples.example import MOST_ROWS, Array, Example, Given, fitted
from regard.model.examples.operations import grid
from regard.model.examples.score_presets import PRESETS, presets
from regard.model.input_error import InputError

Cells = tuple[tuple[str, ...], ...]
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def cells(array: Array) -> Cells:
    """Return the numbers as exact text; a vector is one row."""
    return tuple(tuple(repr(float(number)).removesuffix(".0") for number in row) for row in grid(array))


def _read(given: Given, written: Cells) -> Array | None:
    """Return the matrix, or None if it is no matrix of accepted numbers with as many axes."""
    texts, axes = [text for row in written for text in row], len(given.sizes)
    if len({len(row) for row in written}) > 1 or (axes < 2 and len(written) > 1) or (axes < 1 and len(texts) > 1):
        return None
    if not all(NUMBER.fullmatch(text) and given.accepts(float(text)) for text in texts):
        return None
    numbers = np.array([[float(text) for text in row] for row in written])
    return numbers.reshape(numbers.shape[2 - axes :])


OWN = 0  # the seed that stands for the example's own numbers
LAST_SEED = 9999
LONGEST_LINK = 8000  # characters
SEPARATORS = ("~", "!", "*", "_")  # between parts, after a name, between rows, between numbers, as links allow


@dataclass(frozen=True)
class EditedMatrices:
    """The edits. `sizes` and `edits` differ from the example's own; `preset` is applied to their result."""

    sizes: tuple[tuple[str, int], ...] = ()
    seed: int = OWN
    edits: tuple[tuple[str, Cells], ...] = ()
    preset: str = ""

    def base(self, example: Example) -> dict[str, Array]:
        """Return the numbers to edit: the example's own if the seed is 0, otherwise random ones from the seed."""
        sizes = example.sizes_of(example.matrices()) | dict(self.sizes)
        return example.resized(sizes, self.seed) if self.seed == OWN else example.random(sizes, self.seed)

    def matrices(self, example: Example) -> dict[str, Array]:
        """Return the example's matrices. Raises InputError if the preset is impossible with these numbers."""
        arrays = self.base(example)
        for name, edited in self.edits:
            arrays[name] = np.array(edited, dtype=np.float64).reshape(np.shape(arrays[name]))
        return PRESETS[self.preset].change(example, arrays) if self.preset else arrays

    def edited(self, example: Example, matrices: Mapping[str, Array]) -> "EditedMatrices":
        """Return the edits that give these matrices. Raises InputError if they do not fit."""
        example.check(matrices)
        own = example.sizes_of(example.matrices())
        sizes = example.sizes_of(matrices).items()
        plain = EditedMatrices(tuple((letter, count) for letter, count in sizes if count != own[letter]), self.seed)
        base = plain.base(example)
        edits = [name for name, array in matrices.items() if not np.array_equal(array, base[name])]
        return replace(plain, edits=tuple((name, cells(matrices[name])) for name in edits))

    def resized(self, example: Example, letter: str, count: int) -> "EditedMatrices":
        """Change the number of what a letter counts; existing numbers keep their place, new ones are random."""
        plain = replace(self, preset="")
        sizes = tuple(sorted((dict(self.sizes) | {letter: min(MOST_ROWS, max(1, count))}).items()))
        onto = replace(plain, sizes=sizes, edits=()).base(example)
        before = plain.matrices(example)
        edits = {name: fitted(before[name], onto[name]) for name, _ in self.edits}
        return replace(replace(plain, sizes=sizes, edits=()).edited(example, onto | edits), preset=self.preset)

    def drawn(self, seed: int) -> "EditedMatrices":
        """Return matrices of the same sizes with another seed; edits are dropped."""
        return EditedMatrices(self.sizes, min(LAST_SEED, max(OWN, seed)), preset=self.preset)

    def to_link(self) -> str:
        """Return the text for a link, "" for the unchanged example."""
        between, after, rows, numbers = SEPARATORS
        parts = [f"size-{letter}{after}{count}" for letter, count in self.sizes]
        parts += [f"seed{after}{self.seed}"] if self.seed != OWN else []
        parts += [f"at-{name}{after}{rows.join(map(numbers.join, matrix))}" for name, matrix in self.edits]
        parts += [f"preset{after}{self.preset}"] if self.preset else []
        return between.join(parts)

    @classmethod
    def from_link(cls, text: str, example: Example) -> "EditedMatrices":
        """Read the parts of a link that fit the example."""
        between, after, rows, numbers = SEPARATORS
        whole = text if len(text) <= LONGEST_LINK else text[:LONGEST_LINK].rpartition(between)[0]
        parts = dict(part.split(after, 1) for part in whole.split(between) if after in part)
        own = example.sizes_of(example.matrices())
        sizes = {letter: _integer(parts.get(f"size-{letter}"), own[letter], 1, MOST_ROWS) for letter in example.sizes}
        setting = cls(
            tuple((letter, count) for letter, count in sorted(sizes.items()) if count != own[letter]),
            _integer(parts.get("seed"), OWN, OWN, LAST_SEED),
        )
        for name, written in parts.items():
            matrix = tuple(tuple(row.split(numbers)) for row in written.split(rows))
            setting = setting._with(example, name.removeprefix("at-"), matrix) if name.startswith("at-") else setting
        known = parts.get("preset") in {preset.name for preset in presets(example)}
        return replace(setting, preset=parts["preset"] if known else "")._possible(example)

    def _with(self, example: Example, name: str, written: Cells) -> "EditedMatrices":
        """Add this matrix if it is one of the example's and fits."""
        given = next((given for given in example.givens if given.name == name), None)
        array = _read(given, written) if given else None
        try:
            return self if array is None else self.edited(example, self.matrices(example) | {name: array})
        except InputError:
            return self

    def _possible(self, example: Example) -> "EditedMatrices":
        """Drop the preset if the numbers do not allow it."""
        try:
            example.check(self.matrices(example))
        except InputError:
            return replace(self, preset="")
        return self


def _integer(text: str | None, otherwise: int, least: int, most: int) -> int:
    """Return a link's number, clamped to the range."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        return otherwise
    return min(most, max(least, int(text)))


@dataclass(frozen=True, eq=False)
class EditState:
    """The state of the tables: `shown` are the matrices they began with, `typed` those that stand there now; another
    `version` makes new tables. `refused` is the error message for the last request, or "".
    """

    example: Example
    setting: EditedMatrices
    shown: Mapping[str, Array]
    typed: Mapping[str, Array]
    version: int = 0
    refused: str = ""

    @classmethod
    def of(cls, example: Example, setting: EditedMatrices, version: int = 0) -> "EditState":
        """Build tables with the numbers of a setting. Raises InputError if none fit."""
        matrices = setting.matrices(example)
        example.check(matrices)
        return cls(example, setting, matrices, matrices, version)

    @property
    def matrices(self) -> dict[str, Array]:
        """Return the last matrices that fit."""
        return self.setting.matrices(self.example)

    def turned(self, setting: EditedMatrices) -> "EditState":
        """Return new tables for another setting; if that is impossible, these tables with the reason."""
        try:
            return EditState.of(self.example, setting, self.version + 1)
        except InputError as error:
            return replace(self, refused=_sentence(error))

    def edited(self, typed: Mapping[str, Array]) -> "EditState":
        """Return the state with the tables' contents; the setting follows if they fit."""
        if all(np.array_equal(array, self.typed[name]) for name, array in typed.items()):
            return self
        state = replace(self, typed=typed, refused="")
        try:
            return replace(state, setting=self.setting.edited(self.example, typed))
        except InputError as error:
            return replace(state, refused=_sentence(error))


def _sentence(error: InputError) -> str:
    return f"Not possible: {error}."
