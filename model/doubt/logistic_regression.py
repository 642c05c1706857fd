"""Logistic regression by Newton's method (Hastie et al. 2009, section 4.4.1): p = σ(β₀ + Σ_k β_k x_k).

    β ← β + (Xᵀ W X + λ I)⁻¹ (Xᵀ (y − p) − λ β),   W = diag(p (1 − p))

λ keeps the weights of correlated features near 0; the intercept is not penalised.
"""

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

RIDGE = 1.0  # λ
ITERATIONS = 50  # iterations at most; a dozen are enough
CLOSE = 1e-10  # change of β that ends the iterations


def sigmoid(values: Float[ndarray, " N"]) -> Float[ndarray, " N"]:
    """Return 1 / (1 + e^−x)."""
    return 0.5 * (1 + np.tanh(0.5 * values))


def fit(features: Float[ndarray, "N K"], right: Bool[ndarray, " N"]) -> Float[ndarray, " M"]:
    """Return β, the intercept first, for features that have mean 0 and deviation 1."""
    design = np.column_stack([np.ones(len(features)), features])
    penalty = RIDGE * np.eye(design.shape[1])
    penalty[0, 0] = 1e-9  # keeps the step finite if all are right
    weights = np.zeros(design.shape[1])
    for _ in range(ITERATIONS):
        chances = sigmoid(design @ weights)
        curvature = design.T @ (design * (chances * (1 - chances))[:, None]) + penalty
        step = np.linalg.solve(curvature, design.T @ (right - chances) - penalty @ weights)
        weights = weights + step
        if np.abs(step).max() < CLOSE:
            break
    return weights
