"""Sentences about a phase of a step, on weights made by hand."""

import json

import pytest

from tests.support.javascript import APP, evaluated
from tests.support.step_text import DOCUMENT

MIXING = APP / "components" / "network" / "mixing.js"
PHASES = APP / "components" / "network" / "phases.js"
TRACE = """const trace = {
  index: 0, attends: true, look: null, source: { tokens: ["the", "keys"].map((text) => ({ text })) },
  sourceToken: (label) => label, marks: { vectors: () => new Set() },
};"""


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([0.001, 0.999], "99.9% of this context is keys: c4 is almost entirely the annotation of keys."),
        ([0.3, 0.7], "70.0% of this context is keys, 30.0% the: c4 is the blend of their annotations."),
    ],
)
def test_a_context_of_one_word_is_called_its_annotation_and_of_several_their_blend(
    weights: list[float], said: str
) -> None:
    asked = f'sayPhase(trace, "mix", 4, {json.dumps(weights)}, (number) => number).map(text).join("")'
    assert evaluated(asked, {PHASES: "sayPhase"}, DOCUMENT + TRACE) == said


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        ([1, 1], "keys has the highest score, 2.00, then the, 1.00."),
        ([1, 0], "the has the highest score of those that are not masked, 1.00."),
        ([0, 1], "keys has the highest score, 2.00."),
    ],
)
def test_the_highest_score_is_told_among_those_that_are_not_masked(mask: list[int], said: str) -> None:
    scored = f"""trace.network = {{ wiring: "luong" }};
    trace.score = {{ row: () => [1, 2], at: (t, i) => [1, 2][i] }};
    trace.mask = {{ at: (t, i) => {mask}[i] }};"""
    asked = 'sayPhase(trace, "ask", 4, [], (number) => number).map(text).join("")'
    told = evaluated(asked, {PHASES: "sayPhase"}, DOCUMENT + TRACE + scored)
    assert told.endswith(f" is compared with every annotation: {said}")


def test_the_nearest_annotation_is_found_by_all_components() -> None:
    rows = "{ rows: 2, width: 3, at: (i, k) => [[0, 0, 0], [1, 1, 9]][i][k] }"
    assert evaluated(f"[nearest([1, 1, 1], {rows}), nearest([1, 1, 8], {rows})]", {MIXING: "nearest"}, "") == [0, 1]
