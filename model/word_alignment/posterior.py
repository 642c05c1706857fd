"""Posterior attention: where the decoder looked, inferred once the word is known. After Shankar and Sarawagi (2019).

    p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)

The weights α_ti are the prior: they are computed before the word is known. p(y_t | i) is the likelihood: the
probability of the written word if this step put all weight on h_i, everything before it unchanged. In Bahdanau's wiring
the state s_t depends on the weights, so it differs for each i; in Luong's it does not. A position with weight 0
(masked, or set to 0 by a person) has a posterior of exactly 0, whatever its likelihood.

Shankar and Sarawagi train with it; here it is computed from a model trained without it. A model without attention
(`none`) has a prior of one half on either end of the sentence at every step, and its posterior shows only which end
alone would have made the word likelier. That is not an alignment.
"""

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from regard.model.alignment import Posterior
from regard.model.autoregression import check_maker, standing
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace

ROWS = 512  # steps times positions whose distributions over the vocabulary are in memory at once


def posterior(model: Pretrained, trace: Trace) -> Posterior:
    """Return the posterior of every token of a trace. Raises InputError if another model made the trace."""
    prior, log_likelihood = trace.weights.astype(np.float64), log_likelihoods(model, trace)
    return Posterior(prior, np.exp(log_likelihood), normalised(prior, log_likelihood))


@torch.inference_mode()
def log_likelihoods(model: Pretrained, trace: Trace) -> Float[ndarray, "T S"]:
    """Return log p(y_t | i): each step is repeated for each position, with all weight on it."""
    check_maker(model, trace)
    states = STATES[model.config.wiring](model, trace)  # (T, S, H)
    contexts = torch.tensor(trace.annotations).expand(len(states), -1, -1)  # with all weight on i, Σ_i α_ti h_i is h_i
    vectors = model.network.decoder.join(contexts, states).flatten(0, 1)
    target = torch.tensor(trace.target_ids).repeat_interleave(contexts.shape[1])
    parts = [
        _of_written(model.network.logits(rows), taken)
        for rows, taken in zip(vectors.split(ROWS), target.split(ROWS), strict=True)
    ]
    return torch.cat(parts).reshape(contexts.shape[:2]).double().numpy()


def normalised(prior: Float[ndarray, "T S"], log_likelihood: Float[ndarray, "T S"]) -> Float[ndarray, "T S"]:
    """Return prior times likelihood, each row divided by its sum; exactly 0 where the prior is."""
    with np.errstate(divide="ignore"):  # log 0 is intended to be −∞
        log_product = np.log(prior) + log_likelihood
    product = np.exp(log_product - log_product.max(1, keepdims=True))
    return product / product.sum(1, keepdims=True)


def _of_written(logits: Float[Tensor, "N V"], taken: Int[Tensor, " N"]) -> Float[Tensor, " N"]:
    """Return the log-probabilities of the written tokens."""
    return logits.gather(1, taken.unsqueeze(1)).squeeze(1) - logits.logsumexp(1)


def _as_it_was(model: Pretrained, trace: Trace) -> Float[Tensor, "T S H"]:
    """Return the asking states, which do not depend on the weights."""
    return torch.tensor(trace.states).unsqueeze(1).expand(-1, len(trace.source_ids), -1)


def _after_reading(model: Pretrained, trace: Trace) -> Float[Tensor, "T S H"]:
    """Return the states after reading each annotation: s_t = RNN([y_{t-1} ; h_i], s_{t-1})."""
    network, (steps, positions) = model.network, trace.weights.shape
    where = standing(model, trace, np.repeat(np.arange(steps), positions).tolist())
    contexts = torch.tensor(trace.annotations).repeat(steps, 1)
    inputs = torch.cat([network.embedding(where.fed), contexts], dim=1)
    (state, _), _ = network.decoder.cell.step(inputs, where.carried.recurrent)
    return state.reshape(steps, positions, -1)


STATES: dict[str, Callable[[Pretrained, Trace], Float[Tensor, "T S H"]]] = {
    "luong": _as_it_was,
    "bahdanau": _after_reading,
}
