"""A weight that is dragged: the others share what is left, and every row that is sent adds up to 1."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import playwright
import pytest

from app.components.stepper.core import script
from model.intervention import Intervention

Run = Callable[[str], list[Any]]
NODE = str(Path(playwright.__file__).parent / "driver" / "node")  # the one that Playwright brings


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Evaluate an expression in the stepper's own script."""

    def evaluate(expression: str) -> list[Any]:
        program = tmp_path_factory.mktemp("script") / "run.mjs"
        program.write_text(f"{script()}\nconsole.log(JSON.stringify({expression}));\n", encoding="utf-8")
        return json.loads(subprocess.run([NODE, str(program)], check=True, capture_output=True, text=True).stdout)

    return evaluate


def dragged(run: Run, cases: list[tuple[list[float], int, float, list[bool]]]) -> list[list[float]]:
    return run(f"{json.dumps(cases)}.map(([row, place, value, open]) => inParts(rescaled(row, place, value, open)))")


def test_the_others_keep_their_proportions(run: Run) -> None:
    free = [True, True, True]
    rows = dragged(run, [([0.5, 0.3, 0.2], 0, 0.75, free), ([0.5, 0.3, 0.2], 0, 0.0, free)])
    assert rows == [[0.75, 0.15, 0.1], [0.0, 0.6, 0.4]]


def test_where_all_others_are_0_they_share_evenly(run: Run) -> None:
    assert dragged(run, [([1, 0, 0, 0], 0, 0.4, [True] * 4)]) == [[0.4, 0.2, 0.2, 0.2]]


def test_what_is_masked_stays_0_and_the_only_open_one_has_everything(run: Run) -> None:
    rows = dragged(run, [([0.5, 0.5, 0], 0, 0.2, [True, True, False]), ([1, 0, 0], 0, 0.2, [True, False, False])])
    assert rows == [[0.2, 0.8, 0.0], [1.0, 0.0, 0.0]]


def test_no_value_goes_beyond_the_ends(run: Run) -> None:
    assert dragged(run, [([0.5, 0.5], 0, 7, [True] * 2), ([0.5, 0.5], 0, -7, [True] * 2)]) == [[1, 0], [0, 1]]


def test_every_row_that_is_sent_adds_up_to_1_and_is_a_valid_one(run: Run) -> None:
    rng = np.random.default_rng(0)
    cases = []
    for length in [1, 2, 3, 7, 13, 60] * 20:
        row = rng.dirichlet(np.full(length, 0.3)).astype(np.float32)
        cases.append((row.tolist(), int(rng.integers(length)), float(rng.integers(1001)) / 1000, [True] * length))
    for (_, place, value, free), row in zip(cases, dragged(run, cases), strict=True):
        assert sum(row) == pytest.approx(1, abs=1e-9)
        Intervention(weights=((0, tuple(map(float, row))),))
        if len(free) > 1:
            assert row[place] == pytest.approx(value, abs=1e-12)


def test_changes_are_sent_until_they_were_heard(run: Run) -> None:
    told = run(
        "(() => { const told = []; const { send, heard } = sender((all) => told.push(all));"
        "send({ kind: 'undo' }); send({ kind: 'undo' }); heard(told[0][0].number); send({ kind: 'redo' });"
        "return told; })()"
    )
    assert [[change["kind"] for change in changes] for changes in told] == [
        ["undo"],
        ["undo", "undo"],
        ["undo", "redo"],
    ]
    numbers = [change["number"] for change in told[1]]
    assert numbers[0] < numbers[1] < told[2][1]["number"]
