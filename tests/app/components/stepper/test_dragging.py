import json

import numpy as np
import pytest

from regard.model.changes.intervention import Intervention
from tests.support.javascript import SHARED, STEPPER, evaluated

NAMES = {SHARED / "numbers.js": "inParts", STEPPER / "dragging.js": "rescaled"}


FREE = [True] * 4


def dragged(cases: list[tuple[list[float], int, float, list[bool]]]) -> list[list[float]]:
    made = "([row, place, value, open]) => inParts(rescaled(row, place, value, open))"
    return evaluated(f"{json.dumps(cases)}.map({made})", NAMES)


@pytest.mark.parametrize(
    ("row", "place", "value", "open_ones", "rest"),
    [
        pytest.param([0.5, 0.3, 0.2], 0, 0.75, FREE[:3], [0.75, 0.15, 0.1], id="the others keep their proportions"),
        pytest.param([0.5, 0.3, 0.2], 0, 0.0, FREE[:3], [0.0, 0.6, 0.4], id="also below nothing"),
        pytest.param([1, 0, 0, 0], 0, 0.4, FREE, [0.4, 0.2, 0.2, 0.2], id="if all others are 0 they share evenly"),
        pytest.param([0.5, 0.5, 0], 0, 0.2, [True, True, False], [0.2, 0.8, 0.0], id="what is masked stays 0"),
        pytest.param([1, 0, 0], 0, 0.2, [True, False, False], [1.0, 0.0, 0.0], id="the only open one has everything"),
        pytest.param([0.5, 0.5], 0, 7, FREE[:2], [1, 0], id="no value is above 1"),
        pytest.param([0.5, 0.5], 0, -7, FREE[:2], [0, 1], id="no value is below 0"),
    ],
)
def test_the_others_share_what_a_dragged_weight_leaves(
    row: list[float], place: int, value: float, open_ones: list[bool], rest: list[float]
) -> None:
    assert dragged([(row, place, value, open_ones)]) == [rest]


def test_every_row_that_is_sent_adds_up_to_1_and_is_a_valid_one() -> None:
    rng = np.random.default_rng(0)
    cases = []
    for length in [1, 2, 3, 7, 13, 60] * 20:
        row = rng.dirichlet(np.full(length, 0.3)).astype(np.float32)
        cases.append((row.tolist(), int(rng.integers(length)), float(rng.integers(1001)) / 1000, [True] * length))
    for (_, place, value, free), row in zip(cases, dragged(cases), strict=True):
        assert sum(row) == pytest.approx(1, abs=1e-9)
        Intervention(weights=((0, tuple(map(float, row))),))
        if len(free) > 1:
            assert row[place] == pytest.approx(value, abs=1e-12)
