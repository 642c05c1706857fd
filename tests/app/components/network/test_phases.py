"""Sentences about a phase of a step, on weights made by hand."""

import json

import pytest

from tests.support.javascript import APP, evaluated
from tests.support.step_text import DOCUMENT

PHASES = APP / "components" / "network" / "phases.js"
TRACE = """const trace = {
  index: 0, attends: true, look: null, source: { tokens: ["the", "keys"].map((text) => ({ text })) },
  sourceToken: (label) => label, marks: { vectors: () => new Set(), weighed: new Set(), annotations: new Set() },
};"""
WITHOUT = """Object.assign(trace, { attends: false, weight: { at: () => 0.5 }, network: { initial: "zero" } });"""


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([0.001, 0.999], "The weight of keys is 99.9%: c4 is almost entirely the annotation of keys."),
        ([0.3, 0.7], "The weight of keys is 70.0%, of the 30.0%: c4 is the blend of their annotations."),
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


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([2, 2, 1], "the and keys have the highest score, 2.00 each."),
        ([2, 2, 2], "3 positions have the highest score, 2.00 each."),
    ],
)
def test_equal_scores_are_not_ranked(scores: list[int], said: str) -> None:
    scored = f"""trace.network = {{ wiring: "luong" }};
    trace.source.tokens.push({{ text: "x" }});
    trace.score = {{ row: () => {scores}, at: (t, i) => {scores}[i] }};
    trace.mask = {{ at: () => 1 }};"""
    asked = 'sayPhase(trace, "ask", 4, [], (number) => number).map(text).join("")'
    told = evaluated(asked, {PHASES: "sayPhase"}, DOCUMENT + TRACE + scored)
    assert told.endswith(f" is compared with every annotation: {said}")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (1, "its own key, q · k / √2: the has the score 1.00."),
        (2, "the keys of the tokens fed so far, q · k / √2: keys has the highest score, 2.00, then the, 1.00."),
    ],
)
def test_decoder_self_attention_compares_keys_of_the_tokens_fed_so_far(step: int, said: str) -> None:
    scored = """trace.look = { attention: "decoder" }; trace.query = { width: 2 };
    trace.target = trace.source; trace.begin = { text: "<s>" }; trace.targetToken = trace.sourceToken;
    trace.source.tokens.push({ text: "x" });
    trace.score = { row: () => [1, 2, 3], at: (t, i) => [1, 2, 3][i] };
    trace.mask = { at: (t, i) => Number(i <= t) };"""
    asked = f'sayHead(trace, "ask", {step}, [], (number) => number).map(text).join("")'
    told = evaluated(asked, {PHASES: "sayHead"}, DOCUMENT + TRACE + scored)
    assert told.endswith(f" is compared with {said}")


def test_nothing_is_asked_later_of_a_model_without_attention() -> None:
    asked = '[trace, without].map((one) => sayPhase(one, "read", 0, [], null).map(text).join(""))'
    both = 'trace.network = { initial: "zero" }; const without = { ...trace, attends: false };'
    with_attention, without = evaluated(asked, {PHASES: "sayPhase"}, DOCUMENT + TRACE + both)
    assert with_attention.endswith("; nothing is asked yet.")
    assert "asked" not in without


@pytest.mark.parametrize(
    ("weights", "weighed", "said"),
    [
        ([0.5, 0.5], "", ["The weights are the same at every step: the gets 50.0%", ", the same at every step"]),
        ([0.5, 0.5], "2", ["The model's own weights are the same at every step: the gets 50.0%", "annotations."]),
        ([0.5, 0.5], "3", ["The weights were set by hand: the gets 50.0%", "annotations."]),
        ([0.9, 0.1], "", ["The weights were set by hand: the gets 90.0%", "annotations."]),  # while they are dragged
    ],
)
def test_without_attention_weights_set_by_hand_are_not_called_the_same(
    weights: list[float], weighed: str, said: list[str]
) -> None:
    marked = f"trace.marks.weighed = new Set([{weighed}]); trace.marks.edits = trace.marks.weighed.size > 0;"
    asked = ", ".join(
        f'sayPhase(trace, "{phase}", 4, {weights}, (number) => number).map(text).join("")' for phase in ("weigh", "mix")
    )
    weigh, mix = evaluated(f"[{asked}]", {PHASES: "sayPhase"}, DOCUMENT + TRACE + WITHOUT + marked)
    assert weigh.startswith(said[0])
    assert said[1] in mix
    assert (", the same at every step" in mix) == (not weighed and weights == [0.5, 0.5])
