import json
from pathlib import Path

import numpy as np
import pytest

from regard.model.doubt.chance import DOUBT, FEATURES, Doubt, Fitted, load, parse, save, weakest
from regard.model.input_error import InputError
from regard.model.trace import Trace

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


def test_the_weakest_word_holds_the_least_probable_token(before: Trace) -> None:
    side = before.alignment.target
    tokens = zip(side.word_of, before.log_probabilities.tolist(), strict=True)
    least = dict(sorted(tokens, reverse=True))
    assert least[weakest(before)] == min(value for word, value in least.items() if word < side.spoken)


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
