import numpy as np
from scipy.optimize import minimize

from regard.model.doubt.logistic_regression import RIDGE, fit, sigmoid


def test_the_sigmoid_is_one_half_at_0_and_does_not_overflow() -> None:
    np.testing.assert_allclose(sigmoid(np.array([0.0, np.log(3), -1e4, 1e4])), [0.5, 0.75, 0, 1])


def test_without_a_useful_feature_the_intercept_is_the_log_odds() -> None:
    weights = fit(np.zeros((4, 1)), np.array([True, True, True, False]))
    np.testing.assert_allclose(weights, [np.log(3), 0], atol=1e-6)


def test_the_weights_are_those_of_a_general_optimiser() -> None:
    random = np.random.default_rng(3)
    features = random.standard_normal((200, 3))
    right = random.random(200) < sigmoid(features @ [2.0, -1.0, 0.0] + 0.5)

    def loss(weights: np.ndarray) -> float:
        total = weights[0] + features @ weights[1:]
        return float(np.logaddexp(0, np.where(right, -total, total)).sum() + RIDGE / 2 * (weights[1:] ** 2).sum())

    found = minimize(loss, np.zeros(4), method="BFGS", tol=1e-8)
    np.testing.assert_allclose(fit(features, right), found.x, atol=1e-4)


def test_what_is_always_right_ends() -> None:
    assert np.isfinite(fit(np.ones((5, 2)), np.ones(5, dtype=bool))).all()
