"""Reliability of chances: do they rank right before wrong, and are translations given 70% right seven times in ten?

AUC   probability that a right one has a higher chance than a wrong one, half for a tie (Hanley and McNeil 1982)
ECE   Σ_b n_b/N |share right in b − mean chance in b|, in bins of equal counts (after Naeini et al. 2015)
"""

from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

BINS = 10


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
