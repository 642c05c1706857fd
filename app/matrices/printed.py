"""What the document prints in place of a step, beside what its own matrices give."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from app.matrices.numbers import fixed, typeset
from model.worked.example import Example, Step
from model.worked.making import Values, grid

SAME = "The document prints the same numbers."
CHANGED = "The document's numbers belong to its own matrices. These are others, so only what is computed is shown."
TIE = 1.000001  # of half a digit: a number in the middle may be rounded either way
NOTHING = np.zeros((0, 0))


class Place(NamedTuple):
    """Row and column, counted from 0; a vector counts as one row."""

    row: int
    column: int


@dataclass(frozen=True)
class Beside:
    """Printed numbers and those computed in their place, both empty where nothing is printed for these matrices."""

    printed: Float[ndarray, "R C"]
    computed: Float[ndarray, "R C"]
    digits: int = 0
    remark: str = ""  # what is said in place of the printed numbers

    @property
    def wrong(self) -> Bool[ndarray, "R C"]:
        """Which of the printed numbers are not the computed ones, rounded as they are."""
        return np.abs(self.printed - self.computed) > TIE * 0.5 * 10.0**-self.digits

    def told(self, place: Place) -> str:
        """Such as: printed 0.02, computed −0.12."""
        printed, computed = (typeset(fixed(array[place], self.digits)) for array in (self.printed, self.computed))
        return f"printed {printed}, computed {computed}"


class Wrong(NamedTuple):
    """A number that the document prints otherwise than its matrices give it."""

    step: str
    place: Place


def beside(example: Example, step: Step, values: Values) -> Beside:
    """The printed numbers of a step."""
    if step.printed is None:
        return Beside(NOTHING, NOTHING)
    if changed(example, values):
        return Beside(NOTHING, NOTHING, remark=CHANGED)
    found = Beside(grid(step.printed), grid(values[step.name]), step.digits)
    return found if found.wrong.any() else Beside(found.printed, found.computed, step.digits, SAME)


def changed(example: Example, values: Values) -> bool:
    """Whether the matrices are others than the document's."""
    return any(not np.array_equal(values[name], own) for name, own in example.matrices().items())


def wrong(example: Example, values: Values) -> list[Wrong]:
    """All of the example, in the order of its steps and of reading."""
    return [
        Wrong(step.name, Place(int(row), int(column)))
        for step in example.steps
        for row, column in np.argwhere(beside(example, step, values).wrong)
    ]
