import json

import numpy as np
import pytest

from regard.model.changes.intervention import Intervention
from tests.support.javascript import SHARED, STEPPER, evaluated

NAMES = {SHARED / "numbers.js": "inParts", STEPPER / "draft.js": "rescaled"}


def dragged(cases: list[tuple[list[float], int, float, list[bool]]]) -> list[list[float]]:
    return evaluated(
        f"{json.dumps(cases)}.map(([row, place, value, open]) => inParts(rescaled(row, place, value, open)))", NAMES
    )


def test_the_others_keep_their_proportions() -> None:
    free = [True, True, True]
    rows = dragged([([0.5, 0.3, 0.2], 0, 0.75, free), ([0.5, 0.3, 0.2], 0, 0.0, free)])
    assert rows == [[0.75, 0.15, 0.1], [0.0, 0.6, 0.4]]


def test_where_all_others_are_0_they_share_evenly() -> None:
    assert dragged([([1, 0, 0, 0], 0, 0.4, [True] * 4)]) == [[0.4, 0.2, 0.2, 0.2]]


def test_what_is_masked_stays_0_and_the_only_open_one_has_everything() -> None:
    rows = dragged([([0.5, 0.5, 0], 0, 0.2, [True, True, False]), ([1, 0, 0], 0, 0.2, [True, False, False])])
    assert rows == [[0.2, 0.8, 0.0], [1.0, 0.0, 0.0]]


def test_no_value_goes_beyond_the_ends() -> None:
    assert dragged([([0.5, 0.5], 0, 7, [True] * 2), ([0.5, 0.5], 0, -7, [True] * 2)]) == [[1, 0], [0, 1]]


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


def test_changes_are_sent_until_they_were_heard() -> None:
    told = evaluated(
        "(() => { const told = []; const { send, heard } = sender((all) => told.push(all));"
        "send({ kind: 'undo' }); send({ kind: 'undo' }); heard(told[0][0].number); send({ kind: 'redo' });"
        "return told; })()",
        {STEPPER / "stage.js": "sender"},
    )
    assert [[change["kind"] for change in changes] for changes in told] == [
        ["undo"],
        ["undo", "undo"],
        ["undo", "redo"],
    ]
    numbers = [change["number"] for change in told[1]]
    assert numbers[0] < numbers[1] < told[2][1]["number"]
