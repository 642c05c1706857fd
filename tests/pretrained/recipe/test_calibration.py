import numpy as np
import pytest
from scipy.optimize import minimize

from regard.model.doubt.chance import sigmoid
from regard.pretrained.recipe.doubt import RIDGE, area_under_roc, calibration_error, fit, reliability


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
