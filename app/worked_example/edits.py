"""Edits of a worked example: numbers as typed, the edited matrices as one value, and the state of the tables.

The edited matrices are also a piece of the page's link. Everything in a link is untrusted text: values that do not fit
are clamped or dropped, never an error. Typed text stays, right or wrong, beside the last valid matrices.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from regard.model.examples.example import MOST_ROWS, Array, Example, Given, fitted
from regard.model.examples.operations import grid
from regard.model.examples.score_presets import PRESETS, presets
from regard.model.input_error import InputError

Cells = tuple[tuple[str, ...], ...]
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
QUOTED_CHARACTERS = 40  # characters of typed text that are quoted
ALIGNED = 6  # most decimals that are lined up
LONGEST_CELL = 100  # characters read from a cell


class Mistake(NamedTuple):
    """A cell without an accepted number; rows and columns count from 0."""

    given: Given
    row: int
    column: int
    typed: str

    @property
    def text(self) -> str:
        """The message, such as: row “love”, column 2: “x” is not accepted. Enter a number from −1000 to 1000."""
        names = zip(("row", "column"), (self.given.rows, self.given.columns), (self.row, self.column), strict=True)
        places = [f"{kind} “{name[at]}”" if at < len(name) else f"{kind} {at + 1}" for kind, name, at in names]
        place = ", ".join(places[2 - len(self.given.sizes) :]) or "the number"
        shown = self.typed if len(self.typed) <= QUOTED_CHARACTERS else f"{self.typed[: QUOTED_CHARACTERS - 1]}…"
        what = f"“{shown}” is not accepted" if self.typed.strip() else "it is empty"
        return f"{place}: {what}. Enter {self.given.accepted}."


def cells(array: Array) -> Cells:
    """Return the numbers as exact text; a vector is one row."""
    return tuple(tuple(repr(float(number)).removesuffix(".0") for number in row) for row in grid(array))


def aligned(typed: Cells) -> Cells:
    """Write plain numbers with the same number of decimals, so that their digits line up."""
    after = max(len(text.partition(".")[2]) for row in typed for text in row)
    if not 0 < after <= ALIGNED or any("e" in text for row in typed for text in row):
        return typed
    return tuple(tuple(f"{float(text):.{after}f}" for text in row) for row in typed)


def read_cells(given: Given, typed: Cells) -> tuple[Array, list[Mistake]]:
    """Return the matrix, and the cells without a number for it, which are 0 there."""
    numbers = np.zeros((len(typed), len(typed[0])))
    mistakes = []
    for (row, column), _ in np.ndenumerate(numbers):
        text = typed[row][column]
        plain = text.strip().replace("−", "-")  # as Python writes the minus sign and the decimal point
        plain = plain.replace(",", ".") if plain.count(",") == 1 and "." not in plain else plain
        if NUMBER.fullmatch(plain) and given.accepts(float(plain)):
            numbers[row, column] = float(plain)
        else:
            mistakes.append(Mistake(given, row, column, text))
    return numbers.reshape(numbers.shape[2 - len(given.sizes) :]), mistakes


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
        arrays, typed = self.base(example), dict(self.edits)
        for given in example.givens:
            if given.name in typed:
                arrays[given.name] = read_cells(given, typed[given.name])[0]
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
        parts += [f"at-{name}{after}{rows.join(map(numbers.join, typed))}" for name, typed in self.edits]
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
            typed = tuple(tuple(row.split(numbers)) for row in written.split(rows))
            setting = setting._with(example, name.removeprefix("at-"), typed) if name.startswith("at-") else setting
        known = parts.get("preset") in {preset.name for preset in presets(example)}
        return replace(setting, preset=parts["preset"] if known else "")._possible(example)

    def _with(self, example: Example, name: str, typed: Cells) -> "EditedMatrices":
        """Add this matrix if it is one of the example's and fits."""
        given = next((given for given in example.givens if given.name == name), None)
        widths, axes = {len(row) for row in typed}, len(given.sizes) if given else 0
        if given is None or len(widths) > 1 or (axes < 2 and len(typed) > 1) or (axes < 1 and widths != {1}):
            return self
        array, mistakes = read_cells(given, typed)
        try:
            return self if mistakes else self.edited(example, self.matrices(example) | {name: array})
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


@dataclass(frozen=True)
class EditState:
    """The state of the tables: `shown` are the cells they began with; another `version` makes new tables. `refused` is
    the error message for the last request, or ""."""

    example: Example
    setting: EditedMatrices
    shown: Mapping[str, Cells]
    typed: Mapping[str, Cells]
    version: int = 0
    refused: str = ""

    @classmethod
    def of(cls, example: Example, setting: EditedMatrices, version: int = 0) -> "EditState":
        """Build tables with the numbers of a setting. Raises InputError if none fit."""
        matrices = setting.matrices(example)
        example.check(matrices)
        texts = {name: aligned(cells(array)) for name, array in matrices.items()}
        return cls(example, setting, texts, texts, version)

    @property
    def matrices(self) -> dict[str, Array]:
        """Return the last valid matrices."""
        return self.setting.matrices(self.example)

    @property
    def mistakes(self) -> list[Mistake]:
        """Return the cells that are currently wrong."""
        reasons = (read_cells(given, self.typed[given.name])[1] for given in self.example.givens)
        return [mistake for mistakes in reasons for mistake in mistakes]

    def turned(self, setting: EditedMatrices) -> "EditState":
        """Return new tables for another setting; if that is impossible, these tables with the reason."""
        try:
            return EditState.of(self.example, setting, self.version + 1)
        except InputError as error:
            return replace(self, refused=_sentence(error))

    def edited(self, typed: Mapping[str, Cells]) -> "EditState":
        """Return the state with the tables' contents; the setting follows once all of them are valid."""
        if typed == self.typed:
            return self
        state = replace(self, typed=typed, refused="")
        if state.mistakes:
            return state
        matrices = {given.name: read_cells(given, typed[given.name])[0] for given in self.example.givens}
        try:
            return replace(state, setting=self.setting.edited(self.example, matrices))
        except InputError as error:
            return replace(state, refused=_sentence(error))


def _sentence(error: InputError) -> str:
    return f"Not possible: {error}."
