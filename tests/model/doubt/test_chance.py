import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from regard.model.alignment import Alignment
from regard.model.doubt.chance import DOUBT, FEATURES, LEAST, Doubt, Fitted, coverage, credit, flags, load, parse, save
from regard.model.input_error import InputError
from regard.model.trace import Trace
from regard.model.words import END
from tests.support.made_traces import made_of, sentence

FITTED = {name: Fitted(0.1 * place, 1.0 + place, 0.3 - 0.1 * place) for place, name in enumerate(FEATURES)}
DOUBTS = Doubt("a" * 64, 0.25, FITTED, frozenset({"to"}), frozenset({"de"}))


def test_the_chance_is_the_sigmoid_of_the_weighted_features(before: Trace) -> None:
    log_p, weights = before.log_probabilities.astype(float), before.alignment.by_words().weights.astype(float)
    spoken = weights.sum(0)[: before.alignment.source.spoken]
    per_step = -np.sum(before.weights * np.log2(before.weights, where=before.weights > 0, out=0 * before.weights), 1)
    by_hand = [
        np.log(0.001 - log_p.mean()),
        np.log(1 - log_p.min()),
        np.log(len(log_p)),
        spoken.min(),
        spoken.max(),
        per_step.mean(),
        np.log(len(before.source_ids) / len(before.alignment.source.words)),
    ]
    both = zip(FITTED.values(), by_hand, strict=True)
    total = 0.25 + sum(one.weight * (value - one.mean) / one.deviation for one, value in both)
    assert DOUBTS.of(before) == pytest.approx(1 / (1 + np.exp(-total)), rel=1e-5)


def test_a_fit_is_read_as_it_was_written_and_left_out_for_other_weights(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert load(tmp_path, "a" * 64) is None
    save(DOUBTS, tmp_path)
    assert load(tmp_path, "a" * 64) == DOUBTS
    assert load(tmp_path, "b" * 64) is None
    (tmp_path / DOUBT).write_text("{")
    assert load(tmp_path, "a" * 64) is None
    assert caplog.text.count("is left out") == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"features": {"unknown": {"mean": 0, "deviation": 1, "weight": 1}}},
        {"features": {"length": {"mean": 0, "deviation": 0, "weight": 1}}},
        {"features": {"length": {"mean": 0, "deviation": 1}}},
        {"features": []},
        {"intercept": float("nan")},
        {"intercept": 10**400},
        {"intercept": None},
        {"repeated": 3},
    ],
    ids=str,
)
def test_a_fit_that_is_none_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(InputError):
        parse(json.dumps({**DOUBTS.as_data(), **changed}).encode())


NONE: frozenset[str] = frozenset()


def trace_of(source: str, target: str, weights: Sequence[Sequence[float]], behind: Sequence[float] = ()) -> Trace:
    """A trace of one token a word; `behind` says how far each token's logit is behind the likeliest one's."""
    left, right = (
        sentence(language, (*(f" {word}" for word in text.split()), END), tuple(range(len(text.split()) + 1)))
        for language, text in (("en", source), ("fr", target))
    )
    made = made_of(left, right)
    logits = made.top_logits[:, 0] - np.array(behind or [0] * len(made.target_ids), dtype=np.float32)
    return replace(made, alignment=Alignment(left, right, np.array(weights, dtype=np.float32)), logits=logits)


def test_coverage_is_the_sum_of_a_column_and_a_word_that_got_nothing_is_left_out() -> None:
    trace = trace_of("red car", "voiture", [[0.1, 0.8, 0.1], [0, 0.25, 0.75]])
    np.testing.assert_allclose(coverage(trace), [0.1, 1.05, 0.85], atol=1e-7)
    assert [tuple(flag) for flag in flags(trace, NONE, NONE)] == [(0, "left out", -1, pytest.approx(0.1))]
    assert flags(trace, {"red"}, NONE) == ()


def test_credit_counts_a_look_by_how_near_its_token_came_to_the_likeliest() -> None:
    """Half as likely as the likeliest: log 2 behind it."""
    looked = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
    trace = trace_of("red car", "voiture bleue", looked, behind=(0, float(np.log(2)), 0))
    np.testing.assert_allclose(coverage(trace), [1, 1, 1])
    np.testing.assert_allclose(credit(trace), [1, 0.5, 1], rtol=1e-6)
    given = trace_of("red car", "voiture bleue", looked, behind=(-float(np.log(LEAST / 2)), 0, 0))
    assert [(flag.source, flag.credit) for flag in flags(given, NONE, NONE)] == [(0, pytest.approx(LEAST / 2))]


def test_a_word_that_stands_twice_for_one_source_word_is_flagged_unless_it_often_does() -> None:
    looked = [[0.9, 0, 0.1], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0, 0.1, 0.9]]
    trace = trace_of("Nations United", "Nations des nations", looked)
    assert [tuple(flag) for flag in flags(trace, NONE, NONE)] == [(0, "said twice", 2, pytest.approx(1.8))]
    assert flags(trace, NONE, {"nations"}) == ()
