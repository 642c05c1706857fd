"""Sentences about a phase of a step, on weights made by hand."""

import json

import pytest

from tests.support.javascript import APP, evaluated
from tests.support.step_text import DOCUMENT

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
