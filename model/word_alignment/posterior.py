"""Posterior attention: where the decoder looked, asked after the word is known.  After Shankar and Sarawagi (2019).

    p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)

The weights α_ti are the prior: they are made before the word is known. p(y_t | i) is the likelihood: what the word that
was written would have had with all weight of this step on h_i and everything before it as it was. In Bahdanau's wiring
the state s_t follows the weights, so it is another one for each i; in Luong's it stays. A position that the weights
leave out (masked, or given 0 by a person) has a posterior of exactly 0, whatever its likelihood.

Shankar and Sarawagi train with it; here it is read off a model that was trained without. A model without attention
(`none`) has a prior of half on either end of the sentence at every step, and the posterior says only which end alone
would have made the word likelier. That is no alignment.
"""

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from regard.model.checkpoint import Pretrained
from regard.model.posterior_attention import Posterior
from regard.model.replay import check_maker, standing
from regard.model.trace import Trace

ROWS = 512  # steps by positions whose distributions over the vocabulary are in memory at once


def posterior(model: Pretrained, trace: Trace) -> Posterior:
    """Of every token of a trace. Raises InputError when another model made the trace."""
    prior, log_likelihood = trace.weights.astype(np.float64), log_likelihoods(model, trace)
    return Posterior(prior, np.exp(log_likelihood), normalised(prior, log_likelihood))


@torch.inference_mode()
def log_likelihoods(model: Pretrained, trace: Trace) -> Float[ndarray, "T S"]:
    """log p(y_t | i): each step taken once more for each position, all weight on it."""
    check_maker(model, trace)
    states = STATES[model.config.wiring](model, trace)  # (T, S, H)
    contexts = torch.tensor(trace.annotations).expand(len(states), -1, -1)  # Σ_i α_ti h_i is h_i alone
    vectors = model.network.decoder.join(contexts, states).flatten(0, 1)
    target = torch.tensor(trace.target_ids).repeat_interleave(contexts.shape[1])
    parts = [
        _of_taken(model.network.logits(rows), taken)
        for rows, taken in zip(vectors.split(ROWS), target.split(ROWS), strict=True)
    ]
    return torch.cat(parts).reshape(contexts.shape[:2]).double().numpy()


def normalised(prior: Float[ndarray, "T S"], log_likelihood: Float[ndarray, "T S"]) -> Float[ndarray, "T S"]:
    """Prior times likelihood, each row divided by its sum; exactly 0 where the prior is."""
    with np.errstate(divide="ignore"):  # log 0 is the −∞ that is meant
        log_product = np.log(prior) + log_likelihood
    product = np.exp(log_product - log_product.max(1, keepdims=True))
    return product / product.sum(1, keepdims=True)


def _of_taken(logits: Float[Tensor, "N V"], taken: Int[Tensor, " N"]) -> Float[Tensor, " N"]:
    """Log-probabilities of the tokens that were written."""
    return logits.gather(1, taken.unsqueeze(1)).squeeze(1) - logits.logsumexp(1)


def _as_it_was(model: Pretrained, trace: Trace) -> Float[Tensor, "T S H"]:
    """The state that asks is there before the weights."""
    return torch.tensor(trace.states).unsqueeze(1).expand(-1, len(trace.source_ids), -1)


def _after_reading(model: Pretrained, trace: Trace) -> Float[Tensor, "T S H"]:
    """The state is made of what was found: s_t = RNN([y_{t-1} ; h_i], s_{t-1})."""
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
