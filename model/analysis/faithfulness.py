"""Faithfulness of attention: replaced weights, and the importance of each source token by other measures.

Counterfactual attention, Moradi, Kambhatla and Sarkar (2019): replace the weights of one step and see whether the
decoder still produces the same token. Everything before that step stays as it was. In a Transformer the weights are
those of `trace.weights`, and their replacement is given to every head of its cross-attention.

Importance, after Jain and Wallace (2019): how much source token i, with embedding x_i, counts for target token t,
measured without attention.

    gradient by input    g_ti = |Σ_d x_id ∂ log p_t(y_t) / ∂x_id|
    leaving one out      o_ti = ½ Σ_v |p_t(v | x without token i) − p_t(v | x)|, the total variation distance

Kendall's τ-b measures the agreement of two orders of the same tokens: 1 for equal orders, −1 for reversed ones.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from regard.model.autoregression import check_maker, decoder_steps
from regard.model.checkpoint import AnyModel
from regard.model.input_error import check_choice
from regard.model.network import fed_tokens
from regard.model.seq2seq import pad
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace
from regard.model.tracing import LIKELIEST
from regard.model.values import ReadOnly

GRADIENT_CELLS = 20_000  # copies × steps × positions whose gradient is computed at once; bounds memory

Weights = Float[ndarray, " S"]
Reach = Bool[ndarray, " S"]


def permuted(weights: Weights, reach: Reach, random: Generator) -> Weights:
    """Move the weights to other places, sampled among the orders in which the greatest has moved. With a single
    reachable position nothing changes; with equal weights all orders are alike."""
    greatest, others = _greatest(weights, reach)
    changed = weights.copy()
    if len(others):
        goal = random.choice(others)
        changed[goal] = weights[greatest]
        changed[[greatest, *others[others != goal]]] = random.permutation(weights[others])
    return changed


def all_but_the_maximum(weights: Weights, reach: Reach, random: Generator) -> Weights:
    """Set the greatest to 0 and divide the others by their sum, or share equally if they are all 0. With a single
    reachable position nothing changes."""
    _, others = _greatest(weights, reach)
    if not len(others):
        return weights.copy()
    rest = np.zeros_like(weights)
    rest[others] = weights[others] if weights[others].any() else 1
    return rest / rest.sum()


def _greatest(weights: Weights, reach: Reach) -> tuple[int, Int[ndarray, " N"]]:
    """Return the first position of the greatest weight, and the other reachable ones."""
    places = np.flatnonzero(reach)
    greatest = int(places[weights[places].argmax()])
    return greatest, places[places != greatest]


def _all_on(position: int, weights: Weights) -> Weights:
    return (np.arange(len(weights)) == position).astype(weights.dtype)


COUNTERFACTUALS: dict[str, Callable[[Weights, Reach, Generator], Weights]] = {
    "uniform": lambda weights, reach, random: (reach / reach.sum()).astype(weights.dtype),
    "permuted": permuted,
    "only the maximum": lambda weights, reach, random: _all_on(_greatest(weights, reach)[0], weights),
    "all but the maximum": all_but_the_maximum,
    "last position": lambda weights, reach, random: _all_on(len(weights) - 1, weights),  # `</s>`, always reachable
}


@dataclass(frozen=True, eq=False)
class Counterfactual(ReadOnly):
    """The output of each step with other weights; each row is independent and follows the unchanged steps before it."""

    kind: str
    weights: Float[ndarray, "T S"]
    top_ids: Int[ndarray, "T K"]  # likeliest next tokens, best first
    top_tokens: tuple[tuple[str, ...], ...]
    top_probabilities: Float[ndarray, "T K"]
    best_ids: Int[ndarray, " T"]  # chosen by greedy decoding
    probabilities: Float[ndarray, " T"]  # of the trace's token
    stays: Bool[ndarray, " T"]  # true if greedy decoding would still choose the same token


def unchanged(trace: AnyTrace) -> Counterfactual:
    """Return each step's own output with nothing replaced, in all heads if there are several."""
    return Counterfactual(
        "the model's own",
        trace.weights,
        trace.top_ids,
        trace.top_tokens,
        trace.top_probabilities,
        _own_best(trace),
        np.exp(trace.log_probabilities),
        np.ones(len(trace.target), dtype=bool),
    )


def counterfactual(model: AnyModel, trace: AnyTrace, kind: str, seed: int = 0) -> Counterfactual:
    """Replace each step's weights in turn. `kind` is one of COUNTERFACTUALS; `seed` is for random kinds."""
    check_choice("kind", kind, COUNTERFACTUALS)
    random = np.random.default_rng(seed)
    rows = [COUNTERFACTUALS[kind](*row, random) for row in zip(trace.weights, trace.reach, strict=True)]
    return replaced(model, trace, np.stack(rows), kind)


@torch.inference_mode()
def replaced(model: AnyModel, trace: AnyTrace, weights: Float[ndarray, "T S"], kind: str = "given") -> Counterfactual:
    """Replace the weights of every step, one at a time, by the given ones: row t is used at step t alone."""
    check_maker(model, trace)
    logits = model.network.reweighed(trace, torch.tensor(weights))
    probabilities = logits.softmax(1)
    best = logits[:, STOP:].argmax(1) + STOP
    top = logits.topk(min(LIKELIEST, logits.shape[1])).indices
    tied = ~(top == best[:, None]).any(1)  # ties extend beyond the tokens kept
    top[tied, -1] = best[tied]
    return Counterfactual(
        kind,
        weights,
        top.numpy(),
        tuple(tuple(model.tokenizer.token(index) for index in row) for row in top.tolist()),
        probabilities.gather(1, top).numpy(),
        best.numpy(),
        probabilities.gather(1, torch.tensor(trace.target_ids)[:, None]).squeeze(1).numpy(),
        best.numpy() == _own_best(trace),
    )


def gradient_by_input(model: AnyModel, trace: AnyTrace) -> Float[ndarray, "T S"]:
    """Return g for the target tokens of a trace, each row divided by its sum; the target is forced as it is. The
    gradient also runs through the attention weights, not only through the annotations they weight."""
    check_maker(model, trace)
    steps, positions = trace.weights.shape
    together = max(1, GRADIENT_CELLS // (steps * positions))
    chunks = [range(start, min(start + together, steps)) for start in range(0, steps, together)]
    gradients = np.concatenate([_gradients(model, trace, chunk) for chunk in chunks])
    return gradients / np.maximum(gradients.sum(1, keepdims=True), np.finfo(gradients.dtype).tiny)


@torch.enable_grad()
def _gradients(model: AnyModel, trace: AnyTrace, steps: range) -> Float[ndarray, "N S"]:
    """Return g for some steps: the sentence is copied for each, so that one backward pass serves all."""
    network, copies = model.network, len(steps)
    source = torch.tensor(trace.source_ids).expand(copies, -1)
    embedded = network.source_embeddings(source).requires_grad_()
    memory = network.encode_embeddings(embedded, torch.ones_like(source, dtype=torch.bool))
    vectors = network.vectors(fed_tokens(trace)[: steps.stop].expand(copies, -1), memory)[range(copies), steps]
    produced = torch.tensor(trace.target_ids[steps.start : steps.stop])[:, None]
    total = network.logits(vectors).log_softmax(1).gather(1, produced).sum()
    (gradient,) = torch.autograd.grad(total, embedded)
    return (gradient * embedded).sum(2).abs().detach().numpy()


@torch.inference_mode()
def leave_one_out(model: AnyModel, trace: AnyTrace) -> Float[ndarray, "T S"]:
    """Return o for the target tokens of a trace, from 0 to 1; the target is forced as it is. `</s>` cannot be left out,
    so the last column is NaN."""
    check_maker(model, trace)
    network, ids = model.network, trace.source_ids.tolist()
    memory = network.encode(pad([ids, *without_each(ids)]))
    target = torch.tensor(trace.target_ids)
    steps = decoder_steps(network, memory, lambda step, logits: target[step].expand(len(ids)))
    distances = np.full((len(target), len(ids)), np.nan, dtype=np.float32)
    for row, decoded in zip(distances, steps, strict=False):
        distributions = decoded.logits.softmax(1)
        row[:-1] = (distributions[1:] - distributions[0]).abs().sum(1).numpy() / 2
    return distances


def without_each(ids: list[int]) -> list[list[int]]:
    """Return the ids without each of them in turn; the last, `</s>`, is never left out."""
    return [ids[:place] + ids[place + 1 :] for place in range(len(ids) - 1)]


def kendall(
    one: Float[ndarray, "T S"], other: Float[ndarray, "T S"], mask: Bool[ndarray, "T S"]
) -> Float[ndarray, " T"]:
    """Return τ-b of each row over the positions where the mask is true and neither value is NaN. NaN if it is
    undefined: fewer than two positions, or all values of one side equal."""
    from scipy.stats import kendalltau  # takes a second and 60 MB, needed by no other command or screen

    used = mask & ~np.isnan(one) & ~np.isnan(other)
    return np.array(
        [
            kendalltau(left[places], right[places])[0] if places.sum() > 1 else np.nan
            for left, right, places in zip(one, other, used, strict=True)
        ]
    )


def _own_best(trace: AnyTrace) -> Int[ndarray, " T"]:
    """Return greedy decoding's choice with the weights of the trace; never `<pad>` or `<s>`."""
    allowed = trace.top_ids >= STOP
    return trace.top_ids[np.arange(len(allowed)), allowed.argmax(1)]
