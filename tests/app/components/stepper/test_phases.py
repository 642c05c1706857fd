"""Sentences about a phase of a step, on weights and scores made by hand."""

import json

import pytest

from tests.support.javascript import STEPPER, evaluated
from tests.support.step_text import DOCUMENT

PHASES = STEPPER / "step_text.js"
TRACE = """const trace = {
  index: 0, attends: true, look: null, source: { tokens: ["the", "keys", "."].map((text) => ({ text })) },
  sourceToken: (label) => label, targetToken: (label) => label, begin: { text: "<s>" }, network: { wiring: "luong" },
  marks: { vectors: () => new Set(), weighed: new Set(), annotations: new Set() }, weight: { at: () => 0.5 },
};
trace.target = trace.source;
const scored = (scores, mask) => {
  trace.score = { row: () => scores, at: (t, i) => scores[i] };
  trace.mask = { at: (t, i) => mask[i] };
};"""
WITHOUT = "trace.attends = false;"
BY_HAND = "trace.marks.weighed = new Set([3]); trace.marks.edits = true;"
SET = 'trace.marks.vectors = () => new Set(["context"]);'


def said(phase: str, step: int, weights: list[float], *before: str) -> str:
    asked = f'sayPhase(trace, "{phase}", {step}, {json.dumps(weights)}, (number) => number).map(text).join("")'
    told: str = evaluated(asked, {PHASES: "sayPhase"}, "\n".join((DOCUMENT, TRACE, *before)))
    return told


@pytest.mark.parametrize(
    ("phase", "weights", "before", "told"),
    [
        ("mix", [0.5, 0.5], "", "c4 is the weighted sum of the annotations: the 50.0%, keys 50.0%."),
        ("mix", [0.001, 0.999], "", "c4 is the weighted sum of the annotations: keys 99.9%."),
        ("mix", [0, 0], "", "All weights are 0: no part of the annotations goes into c4."),
        ("mix", [0.5, 0.5], SET, "c4 was set by hand, in place of the weighted sum of the annotations."),
        ("mix", [0.5, 0.5], WITHOUT, "c4 is the weighted sum of the annotations, the same at every step: the 50.0%"),
        ("mix", [0.5, 0.5], WITHOUT + BY_HAND, "c4 is the weighted sum of the annotations: the 50.0%"),
        ("weigh", [0.5, 0.5], "", "Softmax turns the scores into weights that sum to 100%: the 50.0%, keys 50.0%."),
        ("weigh", [0.9, 0.1], "", "The weights were set by hand: the 90.0%"),  # while they are dragged
        ("weigh", [0.5, 0.5], WITHOUT, "The weights are the same at every step: the 50.0%"),
        ("weigh", [0.5, 0.5], WITHOUT + BY_HAND, "The weights were set by hand: the 50.0%"),
        ("weigh", [0.5, 0.5], WITHOUT + BY_HAND.replace("3", "2"), "The model's own weights are the same at every"),
    ],
)
def test_what_is_weighed_and_mixed_is_told_with_who_set_it(
    phase: str, weights: list[float], before: str, told: str
) -> None:
    assert said(phase, 4, weights, before).startswith(told)


@pytest.mark.parametrize(
    ("scores", "mask", "told"),
    [
        ([1, 2, 0], [1, 1, 1], "keys has the highest score, 2.00, then the, 1.00."),
        ([1, 2, 0], [1, 0, 1], "the has the highest score of those that are not masked, 1.00, then ., 0.00."),
        ([2, 2, 1], [1, 1, 1], "2 positions share the highest score, 2.00."),
    ],
)
def test_the_highest_score_is_told_of_those_that_are_not_masked_and_equal_ones_are_not_ranked(
    scores: list[int], mask: list[int], told: str
) -> None:
    assert said("ask", 4, [], f"scored({scores}, {mask});").endswith(f" is compared with every annotation: {told}")


def test_decoder_self_attention_compares_the_tokens_fed_so_far() -> None:
    look = 'trace.look = { attention: "decoder" }; trace.query = { width: 2 }; scored([1, 2, 3], [1, 1, 0]);'
    told = "the keys of the tokens fed so far, q · k / √2: keys has the highest score, 2.00, then the, 1.00."
    assert said("ask", 2, [], look).endswith(f" is compared with {told}")
