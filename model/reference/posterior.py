"""Posterior attention in NumPy alone, from a recomputation by `regard.model.reference.recompute`.

    p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)
    p(y_t | i) = exp(W_o[y_t] · h̃_ti − log Σ_y exp(W_o[y] · h̃_ti))
    h̃_ti = tanh(W_c [h_i ; s_ti])        s_ti = s_t (Luong)        s_ti = RNN([y_{t-1} ; h_i], s_{t-1}) (Bahdanau)

The equations are those of `regard.model.word_alignment.posterior`; no code is shared, and no trace is read.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.reference.formulas import CELLS, NumpyRecurrent, log_sum_exp
from regard.model.reference.recompute import Parameters, Recomputation, Sums


@dataclass(frozen=True, eq=False)
class PosteriorRecomputation:
    """Every number on the way to a posterior, a row per step and a column per source position."""

    prior: Float[ndarray, "T S"]
    states: Float[ndarray, "T S H"]  # s_ti
    attentional: Float[ndarray, "T S A"]  # h̃_ti
    logits: Float[ndarray, "T S"]  # of the target token
    log_normaliser: Float[ndarray, "T S"]
    likelihood: Float[ndarray, "T S"]  # exp(logit − log-normaliser)
    product: Float[ndarray, "T S"]  # prior times likelihood
    evidence: Float[ndarray, " T"]  # the sum of a row of products
    posterior: Float[ndarray, "T S"]  # product / evidence


def recompute_posterior(parameters: Parameters, recomputation: Recomputation) -> PosteriorRecomputation:
    """Recompute the posterior for the recomputation's ids and steering, with the same parameters and type."""
    states = np.stack(
        [STATES[parameters.wiring](parameters, recomputation, step) for step in range(len(recomputation.target_ids))]
    )
    annotations = np.broadcast_to(recomputation.annotations, (*states.shape[:2], recomputation.annotations.shape[1]))
    attentional = np.tanh(np.concatenate([annotations, states], axis=2) @ parameters["decoder.W_c.weight"].T)
    table = parameters["embedding.weight"]
    logits = np.stack(
        [vectors @ table[token] for vectors, token in zip(attentional, recomputation.target_ids, strict=True)]
    )
    log_normaliser = np.stack([log_sum_exp(vectors @ table.T) for vectors in attentional])
    likelihood = np.exp(logits - log_normaliser)
    product = recomputation.weights * likelihood
    evidence = product.sum(axis=1)
    return PosteriorRecomputation(
        recomputation.weights, states, attentional, logits, log_normaliser,
        likelihood, product, evidence, product / evidence[:, None],
    )  # fmt: skip


def _luong(parameters: Parameters, recomputation: Recomputation, step: int) -> Float[ndarray, "S H"]:
    """Return the states in Luong's wiring: the state asks before anything is read."""
    return np.broadcast_to(recomputation.states[step], (len(recomputation.source_ids), recomputation.states.shape[1]))


def _bahdanau(parameters: Parameters, recomputation: Recomputation, step: int) -> Float[ndarray, "S H"]:
    """Return the states in Bahdanau's wiring: the state reads the context."""
    W, U, b, d = Sums.of(parameters, "decoder.cell")
    state, cell = (
        (recomputation.states[step - 1], recomputation.cells[step - 1])
        if step
        else (recomputation.initial_state, recomputation.initial_cell)
    )
    fed = parameters["embedding.weight"][recomputation.fed_ids[step]]
    move = CELLS[parameters.cell].step
    inputs = [np.concatenate([fed, annotation]) for annotation in recomputation.annotations]
    return np.stack([move(W @ given + b, U @ state + d, NumpyRecurrent(state, cell))[0].state for given in inputs])


STATES: dict[str, Callable[[Parameters, Recomputation, int], Float[ndarray, "S H"]]] = {
    "luong": _luong,
    "bahdanau": _bahdanau,
}
