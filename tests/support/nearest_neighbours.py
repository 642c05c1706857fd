"""Nearest neighbours of a state and the distribution of the next token that they give, by the definition of kNN-MT.

Khandelwal et al. (2021), equations 1 and 2. Codes, as stored in the datastore's file, are coordinates in multiples of a
step, on axes of length 1 around a mean.
"""

import numpy as np
from jaxtyping import Float, Int, Shaped
from numpy import ndarray


def squared_distances(
    state: Float[ndarray, " A"],
    mean: Float[ndarray, " A"],
    directions: Float[ndarray, "K A"],
    step: float,
    codes: Shaped[ndarray, "N K"],
) -> Float[ndarray, " N"]:
    """Return Σ_k (v_k · (state − mean) − step code_k)² for each entry."""
    at = directions.astype(np.float64) @ (state.astype(np.float64) - mean)
    return np.array(
        [sum((here - step * int(there)) ** 2 for here, there in zip(at, row, strict=True)) for row in codes]
    )


def nearest(squares: Float[ndarray, " N"], k: int) -> list[int]:
    """Return the k entries with the smallest distances, by sorting all."""
    return sorted(range(len(squares)), key=lambda entry: (squares[entry], entry))[:k]


def knn_probabilities(
    squares: Float[ndarray, " k"], next_ids: Int[ndarray, " k"], temperature: float
) -> dict[int, float]:
    """Return p_kNN of each token that came next at a neighbour."""
    powers = [float(np.exp(-square / temperature)) for square in squares]
    shares: dict[int, float] = {}
    for power, token in zip(powers, next_ids.tolist(), strict=True):
        shares[token] = shares.get(token, 0.0) + power / sum(powers)
    return shares


def mixture(own: Float[ndarray, " V"], shares: dict[int, float], share: float) -> Float[ndarray, " V"]:
    """Return (1 − λ) p_model + λ p_kNN."""
    return np.array([(1 - share) * own[token] + share * shares.get(token, 0.0) for token in range(len(own))])
