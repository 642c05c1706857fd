from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize

from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.doubt.chance import sigmoid
from regard.model.translate import translate
from regard.model.words import words
from regard.pretrained.recipe.doubt import (
    RIDGE,
    area_under_roc,
    calibration_error,
    fit,
    fitted,
    judged_pairs,
    made_omissions,
    measured,
    reliability,
)

SENTENCES = [f"The cat has {number} mats." for number in range(30)]


@pytest.fixture(scope="module")
def pairs(tiny_model: Pretrained) -> list[Pair]:
    """Every second reference is the model's own translation; one source has both a far and a near reference."""
    traces = translate(tiny_model, SENTENCES)
    pairs = [Pair(trace.alignment.source.text, trace.text if n % 2 else "Zut") for n, trace in enumerate(traces)]
    return [*pairs, Pair(SENTENCES[0], traces[0].text)]


def test_a_fit_leaves_the_mean_chance_at_the_share_that_is_right(tiny_model: Pretrained, pairs: list[Pair]) -> None:
    """As every logistic regression with an intercept does on the text that it was fitted on."""
    judged = judged_pairs(tiny_model, pairs, lambda traces, what, total: traces)
    doubt = fitted(tiny_model, judged, judged, ["la la maison", "la la rue", "la la gare", "une maison"])
    assert doubt.chances(judged.features).mean() == pytest.approx(judged.right.mean(), abs=1e-6)
    assert doubt.model == tiny_model.fingerprint
    assert doubt.repeated == {"la"}
    scores = measured(doubt, judged)
    assert scores["sentences"] == 30
    assert scores["right"] == pytest.approx(16 / 30, abs=1e-4)
    assert scores["chance"]["auc"] >= 0.5


TEXTS = [f"Le chat noir dort sur {n} tapis rouges." for n in range(2, 12)]
PAIRS = [Pair(f"The black cat sleeps on {n} red mats.", text) for n, text in zip(range(2, 12), TEXTS, strict=True)]


def counts(text: str) -> Counter[str]:
    return Counter(text[word.start : word.stop] for word in words(text, "fr"))


def test_one_content_word_is_gone_or_there_twice(tiny_model: Pretrained) -> None:
    made = made_omissions(tiny_model, PAIRS, 6)
    assert [one.change for one in made] == ["deleted", "doubled"] * 3
    for one in made:
        before, after = counts(one.pair.target), counts(one.changed)
        changed = (before - after) if one.change == "deleted" else (after - before)
        assert sum(changed.values()) == 1
        assert next(iter(changed)).lower() not in ("le", "sur", ".")
    assert made == made_omissions(tiny_model, PAIRS, 6)
    assert made != made_omissions(tiny_model, PAIRS, 6, seed=1)


def test_the_sigmoid_is_one_half_at_0_and_does_not_overflow() -> None:
    np.testing.assert_allclose(sigmoid(np.array([0.0, np.log(3), -1e4, 1e4])), [0.5, 0.75, 0, 1])


def test_the_weights_are_those_of_a_general_optimiser() -> None:
    random = np.random.default_rng(3)
    features = random.standard_normal((200, 3))
    right = random.random(200) < sigmoid(features @ [2.0, -1.0, 0.0] + 0.5)

    def loss(weights: np.ndarray) -> float:
        total = weights[0] + features @ weights[1:]
        return float(np.logaddexp(0, np.where(right, -total, total)).sum() + RIDGE / 2 * (weights[1:] ** 2).sum())

    found = minimize(loss, np.zeros(4), method="BFGS", tol=1e-8)
    np.testing.assert_allclose(fit(features, right), found.x, atol=1e-4)


def test_the_area_is_the_share_of_pairs_in_the_right_order() -> None:
    """Three of four pairs are in order, and one is a tie."""
    chances, right = np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False])
    assert area_under_roc(chances, right) == pytest.approx(3.5 / 4)
    assert area_under_roc(chances, np.ones(4, dtype=bool)) is None


def test_the_error_is_the_mean_distance_of_chance_and_share() -> None:
    chances = np.array([0.25] * 10 + [0.75] * 10)
    right = np.array([True] * 5 + [False] * 5 + [True] * 10)
    bins = reliability(chances, right)
    assert sum(row["sentences"] for row in bins) == 20
    assert [row["chance"] for row in bins] == [0.25] * 5 + [0.75] * 5
    low = sum(abs(row["right"] - 0.25) for row in bins[:5])
    assert calibration_error(bins) == pytest.approx((low + 5 * 0.25) / 10)
