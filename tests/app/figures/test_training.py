from typing import Any

import numpy as np
import pytest

from regard.app.figures.training import curves, sharpening

HISTORY = [
    {"update": 500.0, "loss": 6.0, "validation_loss": 4.0},
    {"update": 1000.0, "loss": 4.5, "validation_loss": 3.0},
]
UPDATES = [1, 7, 1000]


def drawn(chosen: int = 1) -> Any:
    return curves(HISTORY, UPDATES, np.array([9.0, 8.0, 1.0]), np.array([2.0, 1.9, 0.5]), chosen)


def test_all_four_curves_are_as_recorded() -> None:
    lines = {line.name: (list(line.x), list(line.y)) for line in drawn().data}
    assert lines == {
        "training, smoothed labels": ([500, 1000], [6.0, 4.5]),
        "validation": ([500, 1000], [4.0, 3.0]),
        "this translation": (UPDATES, [9.0, 8.0, 1.0]),
        "entropy of this sentence": (UPDATES, [2.0, 1.9, 0.5]),
    }


@pytest.mark.parametrize("chosen", range(3))
def test_the_moment_chosen_is_marked_in_both_parts(chosen: int) -> None:
    figure = drawn(chosen)
    assert {shape.x0 for shape in figure.layout.shapes} == {UPDATES[chosen]}
    assert [int(np.argmax(line.marker.size)) for line in figure.data[2:]] == [chosen, chosen]


def test_the_steepest_fall_is_told() -> None:
    told = sharpening([1, 7, 49, 8000], np.array([2.0, 1.9, 0.6, 0.5]))
    assert "most between updates 7 and 49" in told
    assert "fell from 1.90 to 0.60 bits, and over the whole training from 2.00 to 0.50." in told


@pytest.mark.parametrize("entropies", [[2.3, 2.299], [2.299, 2.3], [2.302, 2.5, 2.3], [2.298]])
def test_attention_that_did_not_sharpen_by_the_digits_shown_is_told_so(entropies: list[float]) -> None:
    told = sharpening(list(range(1, len(entropies) + 1)), np.array(entropies))
    assert told.endswith("did not sharpen: its mean entropy went from 2.30 to 2.30 bits.")
