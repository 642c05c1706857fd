"""Soft-alignment scores: the spread of attention over a whole translation.  Rikters and Fishel (2017).

    CDP   = 1/S Σ_i ln 1/(1 + |1 − Σ_t α_ti|⁶)     coverage deviation penalty: total weights far from 1 per token
    APout = 1/T Σ_t Σ_i α_ti ln α_ti               dispersion of each target token's weights
    APin  = the same over the columns, each divided by its sum
    confidence = exp(−0.05 (CDP + APout + APin)²)

A known flaw: a decoder that always attends to one token, such as `</s>`, has no dispersion, so it gets a higher
confidence (0.724 for 5 by 5 tokens) than even weights (0.596). The confidence does not tell if a translation is right.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

SCALE, POWER = 0.05, 6
FLAW = (
    "A decoder that always looks at one token gets a higher confidence than one with even weights, so this does not "
    "tell a good translation from a bad one."
)


class SoftAlignmentScores(NamedTuple):
    """The three penalties, each 0 at best and below otherwise, and the confidence from 0 to 1."""

    coverage_deviation: float
    dispersion_out: float
    dispersion_in: float

    @property
    def confidence(self) -> float:
        return float(np.exp(-SCALE * sum(self) ** 2))


def soft_alignment_scores(weights: Float[ndarray, "T S"]) -> SoftAlignmentScores:
    """Return the scores of weights between tokens."""
    alpha = weights.astype(np.float64)
    deviation = np.log(1 / (1 + np.abs(1 - alpha.sum(0)) ** POWER)).mean()
    sums = alpha.sum(0)
    columns = alpha / np.where(sums > 0, sums, 1)
    return SoftAlignmentScores(float(deviation), _entropies(alpha, 1), _entropies(columns, 0))


def _entropies(shares: Float[ndarray, "T S"], axis: int) -> float:
    """Return the mean over rows or columns of Σ p ln p."""
    logarithms = np.log(np.where(shares > 0, shares, 1))
    return float((shares * logarithms).sum(axis).mean())
