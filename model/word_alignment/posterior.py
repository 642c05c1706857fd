"""Posterior attention: where the decoder looked, inferred once the word is known. After Shankar and Sarawagi (2019).

    p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)

The weights α_ti are the prior: they are computed before the word is known. p(y_t | i) is the likelihood: the
probability of the written word if this step put all weight on h_i, everything before it unchanged. In Bahdanau's wiring
the state s_t depends on the weights, so it differs for each i; in Luong's it does not. A position with weight 0
(masked, or set to 0 by a person) has a posterior of exactly 0, whatever its likelihood.

Shankar and Sarawagi train with it; here it is computed from a model trained without it. A model without attention
(`none`) has a prior of one half on either end of the sentence at every step, and its posterior shows only which end
alone would have made the word likelier. That is not an alignment.

With jumps it is a hidden Markov model over source words.  Vogel, Ney and Tillmann (1996).

    p(a | y) ∝ Π_r p(a_r | a_{r-1}) e_r(a_r)            e_r(w) = Π_{t in word r} √α_tw p(y_t | w)
    p(a_r = w | a_{r-1} = v) = (1 − p₀) exp(−λ min(|w − v − 1|, 6)) / Σ_w' exp(...)        p(a_r = ∅ | v) = p₀

Target word r comes from source word a_r, and the next one most likely from the word after it: each word by which a jump
misses it costs λ, up to six words. `</s>` is the null state ∅; a jump from there is counted from the last word before
it, following Och and Ney (2003), as does p₀ = 0.2. λ is the value that makes Tatoeba's validation pairs likeliest,
which have no hand-made links (`pretrained.recipe.jump_penalty`).

The evidence of a step is prior times likelihood as above, for a word in place of a token,

    α_tw = Σ_{i in w} α_ti                p(y_t | w) = Σ_{i in w} α_ti p(y_t | i) / α_tw

but with the square root of the weight, because weights carry some knowledge of word order, which jumps already express.

A *reading* is a way to read links off a forced translation: by the weights, the posterior, or the posterior with jumps.
It gives a row per target word and a column per source word, the last one for `</s>`; a link is a row's greatest entry.
A row belongs to the word produced, the only one that a posterior knows.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from regard.model.alignment import Alignment, Posterior
from regard.model.autoregression import check_maker, standing
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.word_alignment.detokenize import Joined, between, shares

AT_ONCE = 512  # steps times positions whose distributions over the vocabulary are in memory at once


def posterior(model: Pretrained, trace: Trace) -> Posterior:
    """Return the posterior of every token of a trace. Raises InputError if another model made the trace."""
    prior, log_likelihood = trace.weights.astype(np.float64), log_likelihoods(model, trace)
    return Posterior(prior, np.exp(log_likelihood), normalised(prior, log_likelihood))


@torch.inference_mode()
def log_likelihoods(model: Pretrained, trace: Trace) -> Float[ndarray, "T S"]:
    """Return log p(y_t | i): each step is repeated for each position, with all weight on it."""
    check_maker(model, trace)
    network, positions = model.network, len(trace.source_ids)
    if model.config.wiring == "bahdanau":
        states = _after_reading(model, trace)
    else:  # the asking states, which do not depend on the weights
        states = torch.tensor(trace.states, device=network.device).unsqueeze(1).expand(-1, positions, -1)
    contexts = (
        torch.tensor(trace.annotations).to(states).expand(len(states), -1, -1)
    )  # with all weight on i, Σ_i α_ti h_i is h_i
    vectors = network.decoder.join(contexts, states).flatten(0, 1)
    target = torch.tensor(trace.target_ids, device=states.device).repeat_interleave(positions)
    parts = []
    for rows, written in zip(vectors.split(AT_ONCE), target.split(AT_ONCE), strict=True):
        logits = network.logits(rows)
        parts.append(logits.gather(1, written.unsqueeze(1)).squeeze(1) - logits.logsumexp(1))
    return torch.cat(parts).reshape(contexts.shape[:2]).double().numpy(force=True)


def normalised(prior: Float[ndarray, "T S"], log_likelihood: Float[ndarray, "T S"]) -> Float[ndarray, "T S"]:
    """Return prior times likelihood, each row divided by its sum; exactly 0 where the prior is."""
    with np.errstate(divide="ignore"):  # log 0 is intended to be −∞
        log_product = np.log(prior) + log_likelihood
    product = np.exp(log_product - log_product.max(1, keepdims=True))
    return product / product.sum(1, keepdims=True)


def _after_reading(model: Pretrained, trace: Trace) -> Float[Tensor, "T S H"]:
    """Return the states after reading each annotation: s_t = RNN([y_{t-1} ; h_i], s_{t-1})."""
    network, (steps, positions) = model.network, trace.weights.shape
    where = standing(model, trace, np.repeat(np.arange(steps), positions).tolist())
    contexts = torch.tensor(trace.annotations, device=network.device).repeat(steps, 1)
    inputs = torch.cat([network.embedding(where.fed.to(network.device)), contexts], dim=1)
    (state, _), _ = network.decoder.cell.step(inputs, where.carried.recurrent)
    return state.reshape(steps, positions, -1)


FARTHEST = 6  # words beyond which a longer jump costs no more
LEAST = float(np.finfo(np.float64).tiny)  # replaces 0, so that every sentence has an explanation


class Jumps(NamedTuple):
    """The probabilities of jumps between source words."""

    penalty: float = 1.75  # λ
    null: float = 0.2  # p₀

    def probabilities(self, words: int) -> Float[ndarray, "V W"]:
        """Return jump probabilities; row v starts at word v − 1, row 0 before the first; rows sum to 1 − p₀."""
        before, after = np.arange(-1, words)[:, None], np.arange(words)[None]
        powers = np.exp(-self.penalty * np.minimum(abs(after - before - 1), FARTHEST))
        return (1 - self.null) * powers / powers.sum(1, keepdims=True)


JUMPS = Jumps()


class Smoothed(NamedTuple):
    """The result of a forward and a backward pass."""

    posterior: Float[ndarray, "R C"]  # p(a_r = w | y), a row per target word; the last column is the null state
    log_evidence: float  # log Σ_a Π_r p(a_r | a_{r-1}) e_r(a_r)


def log_emissions(
    posterior: Posterior, steps: Float[ndarray, "T R"], columns: Float[ndarray, "S C"]
) -> Float[ndarray, "R C"]:
    """Return log e. `steps` and `columns` give each token's share in each word; the last column is `</s>`. A target
    word without a token has zeros, which carry no evidence."""
    product, weight = (np.maximum(values @ columns, LEAST) for values in (posterior.product, posterior.prior))
    return steps.T @ (np.log(product) - np.log(weight) / 2)


def smooth(log_emissions: Float[ndarray, "R C"], jumps: Jumps = JUMPS) -> Smoothed:
    """Run forward-backward, scaling each row to 1. The chain has two states for each place v: at word v, or at the null
    state since word v."""
    greatest = log_emissions.max(1, keepdims=True)
    emissions = np.exp(log_emissions - greatest)
    moves = jumps.probabilities(emissions.shape[1] - 1)
    at_word, at_null, scales = _forward(emissions, moves, jumps.null)
    ahead = _backward(emissions, moves, jumps.null, scales)
    posterior = np.column_stack([(at_word * ahead)[:, 1:], (at_null * ahead).sum(1)])
    return Smoothed(posterior, float(np.log(scales).sum() + greatest.sum()))


def _forward(
    emissions: Float[ndarray, "R C"], moves: Float[ndarray, "V W"], null: float
) -> tuple[Float[ndarray, "R V"], Float[ndarray, "R V"], Float[ndarray, " R"]]:
    """Return p(place, at the word) and p(place, at the null state), given the rows so far, and p(row | rows before)."""
    rows, places = len(emissions), len(moves)
    at_word, at_null, scales = np.zeros((rows, places)), np.zeros((rows, places)), np.zeros(rows)
    place = np.eye(places)[0]  # before the first word
    for row, emission in enumerate(emissions):
        reached, stayed = (place @ moves) * emission[:-1], null * place * emission[-1]
        scales[row] = reached.sum() + stayed.sum()
        at_word[row, 1:], at_null[row] = reached / scales[row], stayed / scales[row]
        place = at_word[row] + at_null[row]
    return at_word, at_null, scales


def _backward(
    emissions: Float[ndarray, "R C"], moves: Float[ndarray, "V W"], null: float, scales: Float[ndarray, " R"]
) -> Float[ndarray, "R V"]:
    """Return p(rows after | place), divided by the same scales; 1 after the last row."""
    ahead = np.ones((len(emissions), len(moves)))
    for row in reversed(range(1, len(emissions))):
        emission, later = emissions[row], ahead[row]
        ahead[row - 1] = (moves @ (emission[:-1] * later[1:]) + null * emission[-1] * later) / scales[row]
    return ahead


def smoothed_between(
    alignment: Alignment, posterior: Posterior, source: Joined, target: Joined
) -> Float[ndarray, "R C"]:
    """Return the posterior with jumps between source words. A target word without a token has a row of zeros."""
    steps, columns = shares(alignment.target, target), shares(alignment.source, source)
    smoothed = smooth(log_emissions(posterior, steps, columns)).posterior
    return np.where(steps.sum(0)[:, None] > 0, smoothed, 0)[:-1]


READINGS: dict[str, Callable[[Pretrained, Trace, Joined, Joined], Float[ndarray, "R C"]]] = {
    "weights": lambda model, trace, *sides: between(trace.alignment, *sides),
    "posterior": lambda model, trace, *sides: between(posterior(model, trace).over(trace.alignment), *sides),
    "posterior-hmm": lambda model, trace, *sides: smoothed_between(trace.alignment, posterior(model, trace), *sides),
}
