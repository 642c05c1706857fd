"""What a document prints, held against what its own matrices give."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from model.worked.example import Array, Example, Step

TIE = 1.000001  # of half a digit: a number in the middle may be rounded either way


def changed(example: Example, matrices: Mapping[str, Array]) -> tuple[str, ...]:
    """The names of the matrices that are not as the example states them."""
    return tuple(name for name, stated in example.matrices().items() if not np.array_equal(matrices[name], stated))


def wrong(step: Step, value: Array) -> Bool[ndarray, "..."]:
    """Which of the printed numbers are not the computed ones, rounded as they are; none where nothing is printed."""
    printed = value if step.printed is None else step.printed
    return np.abs(printed - value) > TIE * 0.5 * 10.0**-step.digits
