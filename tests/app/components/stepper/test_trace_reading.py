"""Traces as the browser opens them: labels of tokens and words, weights between words, scales."""

import json
from typing import Any

import numpy as np
import pytest

from regard.app.components.shared.packed import as_text
from regard.app.components.stepper.payload import payload
from regard.model.alignment import ROWS, STEP
from regard.model.checkpoint import Pretrained
from regard.model.trace import AnyTrace, Trace
from regard.model.translate import translate
from regard.model.words import END
from tests.support.javascript import SHARED, STEPPER, evaluated
from tests.support.made_traces import SOURCE, TARGET, made_of, sentence
from tests.support.small_transformer import small_transformer

WAYS = (*ROWS, STEP)


def opened(expression: str, *traces: AnyTrace) -> Any:
    """The value of an expression about `traces`, opened from their payload."""
    before = f"const traces = onOneScale({as_text(payload(traces))}.traces.map(open));"
    return evaluated(expression, {STEPPER / "trace_reading.js": "onOneScale, open"}, before)


def labels(expression: str) -> list[tuple[str, str]]:
    found = evaluated(expression, {SHARED / "alignment.js": "label, likeliestLabels"})
    return [(each["text"], each["kind"]) for each in found]


def test_weights_between_words_are_those_of_the_alignment(tiny_model: Pretrained) -> None:
    for trace in (made_of(SOURCE, TARGET), *translate(tiny_model, ["Wojciechowska 😀 reads </s>!"])):
        words = opened(
            f"{json.dumps(WAYS)}.map((rows) => traces[0].words(rows)).map("
            "({ rowOf, weight, looked_at }) => [rowOf, Array.from(weight.values), looked_at])",
            trace,
        )
        for rows, (row_of, weights, looked_at) in zip(WAYS, words, strict=True):
            merged = trace.alignment.by_words(rows)
            assert row_of == list(merged.row_of)
            assert np.array_equal(np.array(weights, np.float32), merged.weights.ravel())
            assert looked_at == merged.weights.argmax(1).tolist()


def test_labels_tell_words_pieces_bytes_and_controls_apart() -> None:
    (tokens,) = opened("traces.map((trace) => trace.source.tokens)", made_of(SOURCE, TARGET))
    assert [token["kind"] for token in tokens] == ["word", "piece", "word", "control"]
    assert tokens[3]["title"] == "end of sentence"
    shown = labels('[label(" bleu"), label("<0xE2>"), label(" ")]')
    assert shown == [("bleu", "word"), ("<0xE2>", "byte"), ("␣", "word")]


def test_likeliest_tokens_that_differ_only_by_a_blank_are_told_apart() -> None:
    assert labels('likeliestLabels([" ?", "?", ".", " .", "s", " le"])') == [
        ("?", "word"), ("?", "piece"), (".", "piece"), (".", "word"), ("s", "piece"), ("le", "word"),
    ]  # fmt: skip
    assert labels('likeliestLabels(["?", " le"])') == [("?", "word"), ("le", "word")]


def test_an_end_of_sentence_that_was_typed_is_a_word() -> None:
    typed = sentence("plain", (" </", "s>", END), (0, 0, 1))
    words = opened("traces[0].source.words", made_of(typed, TARGET))
    assert [(word["text"], word["kind"]) for word in words] == [("</s>", "word"), ("</s>", "control")]


def test_side_by_side_traces_have_one_scale_for_each_kind_of_number() -> None:
    several: list[Trace] = [made_of(SOURCE, TARGET, seed=seed) for seed in (0, 1, 2)]
    score, state = opened("traces.map(({ ranges }) => [ranges.score, ranges.state])", *several)[1]
    scores = np.concatenate([trace.scores.ravel() for trace in several])
    farthest = max(float(np.abs(vectors).max()) for trace in several for vectors in (trace.states, trace.initial_state))
    assert score == [min(0, scores.min()), max(0, scores.max())]
    assert state == [-farthest, farthest]


@pytest.mark.parametrize("head", [0, 1])  # 0 is the mean, which has no scores
def test_a_head_has_a_scale_of_its_own_scores(head: int) -> None:
    (trace,) = translate(small_transformer(), ["I see a red cat."])
    before = f"const [raw] = {as_text(payload([trace]))}.traces;"
    asked = f'open(lookedAt(raw, {{ attention: "decoder", layer: 1, head: {head} }}), 0).ranges.score'
    found = evaluated(asked, {STEPPER / "trace_reading.js": "lookedAt, open"}, before)
    scores = trace.decoder_attention.scores[0, head - 1][np.tri(len(trace.target), dtype=bool)]
    assert found == ([min(0, scores.min()), max(0, scores.max())] if head else [0, 1])
