"""Edit state of a worked example: the last valid matrices, and the cells as typed since."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from regard.app.worked_example.edited_matrices import EditedMatrices
from regard.app.worked_example.number_input import Cells, Mistake, cells, read_cells, read_text
from regard.model.examples.example import Array, Example, Given
from regard.model.input_error import InputError


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
        texts = {name: cells(array) for name, array in matrices.items()}
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

    def blind(self, given: Given) -> set[int]:
        """Return the rows of a mask that currently hide everything."""
        seen = read_cells(given, self.typed[given.name])[0] if given.mask else np.ones((1, 1))
        return set(np.flatnonzero(~seen.any(axis=1)).tolist())

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

    def written(self, text: str) -> "EditState":
        """Return the state with the matrices of a text; if they do not fit, this state with the error."""
        try:
            setting = self.setting.edited(self.example, self.matrices | read_text(self.example, text))
        except InputError as error:
            return replace(self, refused=_sentence(error))
        return self.turned(setting)

    def about(self, example: Example) -> "EditState":
        """Return the state for an example whose own numbers may have changed, for instance with another sentence. Edits
        of matrices that have changed are dropped."""
        before, now = _own(self.example), _own(example)
        if now == before:
            return self
        edits = tuple((name, typed) for name, typed in self.setting.edits if now.get(name) == before.get(name))
        kept = replace(self.setting, edits=edits).to_link()
        return EditState.of(example, EditedMatrices.from_link(kept, example), self.version + 1)


def _own(example: Example) -> dict[str, Cells]:
    return {name: cells(array) for name, array in example.matrices().items()}


def _sentence(error: InputError) -> str:
    return f"Not possible: {error}."
