"""Printed values: the numbers that the document prints for a step, beside those its own matrices give."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.app.components.matrices.number_format import fixed, typeset
from regard.model.examples.entries import Values, grid
from regard.model.examples.example import Example, Step, changed, wrong

SAME = "The document prints the same numbers."
CHANGED = "The document's numbers belong to its own matrices. These differ, so only the computed numbers are shown."
NOTHING = np.zeros((0, 0))


class Place(NamedTuple):
    """A row and a column, counted from 0; a vector counts as one row."""

    row: int
    column: int


@dataclass(frozen=True, eq=False)
class PrintedBeside:
    """Printed numbers, the computed ones and which are wrong; empty if the document has none for these matrices."""

    printed: Float[ndarray, "R C"]
    computed: Float[ndarray, "R C"]
    wrong: Bool[ndarray, "R C"]
    digits: int = 0
    remark: str = ""  # shown instead of the printed numbers

    def told(self, place: Place) -> str:
        """Describe a difference, such as: printed 0.02, computed −0.12."""
        printed, computed = (typeset(fixed(array[place], self.digits)) for array in (self.printed, self.computed))
        return f"printed {printed}, computed {computed}"


NONE = PrintedBeside(NOTHING, NOTHING, NOTHING.astype(bool))


def beside(example: Example, step: Step, values: Values) -> PrintedBeside:
    """Return the printed numbers of a step."""
    if step.printed is None:
        return NONE
    if changed(example, values):
        return replace(NONE, remark=CHANGED)
    computed = values[step.name]
    marks = wrong(step, computed)
    return PrintedBeside(
        grid(step.printed), grid(computed), np.atleast_2d(marks), step.digits, "" if marks.any() else SAME
    )


def all_wrong(example: Example, values: Values) -> list[tuple[str, Place]]:
    """Return step and place of all errors of the example, in the order of its steps and of reading."""
    return [
        (step.name, Place(int(row), int(column)))
        for step in example.steps
        for row, column in np.argwhere(beside(example, step, values).wrong)
    ]
