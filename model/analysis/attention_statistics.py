"""Entropy, coverage and soft-alignment scores: how attention is spread over a whole translation.

The scores are those of the program SoftAlignments (Rikters, Fishel and Bojar 2017), three means that are 0 at best:

    CDP    = 1/S Σ_i ln(1 / (1 + |1 − Σ_t α_ti|⁶))                    coverage: every source token looked at once
    AP_out = 1/T Σ_t Σ_i α_ti ln α_ti                                 each target token looks at few source tokens
    AP_in  = 1/S Σ_i Σ_t a_ti ln a_ti,   a_ti = α_ti / Σ_t α_ti       each source token is looked at by few

    confidence = exp(−0.05 (CDP + AP_out + AP_in)²)

It is not the probability that a translation is right: human judgement follows it only weakly (Rikters and Fishel 2017).
A decoder that stares at `</s>` throughout is even rated higher (0.724 for five by five tokens) than one whose attention
is spread evenly (0.596).
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray


class SoftAlignmentScores(NamedTuple):
    """The three means, each 0 at best and below otherwise."""

    coverage_deviation: float
    dispersion_out: float
    dispersion_in: float

    @property
    def confidence(self) -> float:
        """Return the confidence, from 0 to 1; 1 for a permutation matrix."""
        return float(np.exp(-0.05 * sum(self) ** 2))


def soft_alignment_scores(weights: Float[ndarray, "T S"]) -> SoftAlignmentScores:
    """Return the scores of weights between tokens."""
    exact, covered = weights.astype(np.float64), coverage(weights)
    inwards = exact / np.maximum(covered, np.finfo(np.float64).tiny)
    deviation = -np.log1p(np.abs(1 - covered) ** 6)
    means = deviation.mean(), _negative_entropy(exact).mean(), _negative_entropy(inwards.T).mean()
    return SoftAlignmentScores(*map(float, means))


def entropy(weights: Float[ndarray, "T S"]) -> Float[ndarray, " T"]:
    """Return −Σ_i α_ti ln α_ti of each row, in nats: 0 if one token has all, ln S if all have the same."""
    return -_negative_entropy(weights.astype(np.float64))


def coverage(weights: Float[ndarray, "T S"]) -> Float[ndarray, " S"]:
    """Return Σ_t α_ti: how much attention each source token gets over the whole translation."""
    return weights.astype(np.float64).sum(0)


def _negative_entropy(shares: Float[ndarray, "N M"]) -> Float[ndarray, " N"]:
    """Return Σ a ln a of each row, where 0 ln 0 is 0."""
    return (shares * np.log(np.where(shares > 0, shares, 1))).sum(1)
