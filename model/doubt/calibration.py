"""Calibration: fit the chance that a translation is right, and measure how far such chances can be believed.

Logistic regression by Newton's method (Hastie et al. 2009, section 4.4.1): p = σ(β₀ + Σ_k β_k x_k).

    β ← β + (Xᵀ W X + λ I)⁻¹ (Xᵀ (y − p) − λ β),   W = diag(p (1 − p))

λ keeps the weights of correlated features near 0; the intercept is not penalised. Do the chances rank right before
wrong, and are translations given 70% right seven times in ten?

    AUC   probability that a right one has a higher chance than a wrong one, half for a tie (Hanley and McNeil 1982)
    ECE   Σ_b n_b/N |share right in b − mean chance in b|, in bins of equal counts (after Naeini et al. 2015)
"""

from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

RIDGE = 1.0  # λ
ITERATIONS = 50  # iterations at most; a dozen are enough
CLOSE = 1e-10  # change of β that ends the iterations
BINS = 10  # of a reliability diagram


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


def area_under_roc(chances: Float[ndarray, " N"], right: Bool[ndarray, " N"]) -> float | None:
    """Return the AUC; None unless some are right and some wrong."""
    good, bad = chances[right], chances[~right]
    if not len(good) or not len(bad):
        return None
    order = np.sort(bad)
    below, above = np.searchsorted(order, good, "left"), np.searchsorted(order, good, "right")
    return float((below + above).mean() / (2 * len(bad)))


def reliability(chances: Float[ndarray, " N"], right: Bool[ndarray, " N"]) -> list[dict[str, Any]]:
    """Return the reliability diagram: count, mean chance and share right of each bin, lowest chances first."""
    groups = np.array_split(np.argsort(chances, kind="stable"), min(BINS, len(chances)))
    return [
        {
            "sentences": len(group),
            "chance": round(float(chances[group].mean()), 4),
            "right": round(float(right[group].mean()), 4),
        }
        for group in groups
    ]


def calibration_error(bins: list[dict[str, Any]]) -> float:
    """Return the ECE of a reliability diagram."""
    total = sum(row["sentences"] for row in bins)
    return sum(row["sentences"] * abs(row["right"] - row["chance"]) for row in bins) / total
