from dataclasses import dataclass

import numpy as np
import pytest
from numpy import ndarray

from regard.model.values import ReadOnly


@dataclass(frozen=True, eq=False)
class Drawn(ReadOnly):
    """A value that a test freezes."""

    name: str
    weights: ndarray


def test_no_number_of_a_frozen_value_can_be_written() -> None:
    drawn = Drawn("a", np.ones(3))
    with pytest.raises(ValueError, match="read-only"):
        drawn.weights[0] = 2
    assert drawn.weights.tolist() == [1, 1, 1]
