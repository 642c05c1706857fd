"""Measurements that answer claims of tutorials.

Are early words forgotten, which way do gradients take, are steps taken one by one, what does attention cost, and how
far does a changed word move the annotations of the others?

    moved_w = |h'_w − h_w| / |h_w|    where h_w is the mean of the annotations of the tokens of word w
    apart   = max |s'_t − s_t|        over all components and steps of two sentences, if the same tokens are fed
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from regard.model.analysis.faithfulness import without_each
from regard.model.checkpoint import Pretrained
from regard.model.decoder import Memory
from regard.model.input_error import InputError
from regard.model.network import fed_tokens
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace, Trace
from regard.model.translate import translate


class Forgetting(NamedTuple):
    """Shifts of what an encoder hands over when a token is left out: a row per sentence, by the third the token is in.

    `one_way` is →h_S, the last state of the left-to-right reader alone; `both_ways` is [→h_S ; ←h_1].
    """

    one_way: Float[ndarray, "N 3"]
    both_ways: Float[ndarray, "N 3"]


@torch.inference_mode()
def forgetting(model: Pretrained, sentences: Sequence[str]) -> Forgetting:
    """Return the relative shifts of both summaries when each token but `</s>` is left out, averaged over thirds."""
    network, tokenizer = model.network, model.tokenizer
    half = network.config.encoder_state
    rows: list[list[list[float]]] = []
    for sentence in sentences:
        ids = [*tokenizer.encode(sentence, tokenizer.languages[0]).ids, STOP]
        before, after = (network.encode(torch.tensor(each)).annotations for each in ([ids], without_each(ids)))
        ends = [torch.cat([each[:, -1, :half], each[:, 0, half:]], dim=1).double().numpy() for each in (before, after)]
        rows.append(
            [
                [float(part.mean()) for part in np.array_split(moved(np.repeat(old, len(new), 0), new), 3)]
                for old, new in ((ends[0][:, :half], ends[1][:, :half]), (ends[0], ends[1]))
            ]
        )
    return Forgetting(*np.array(rows).swapaxes(0, 1))


def mean_interval(values: Float[ndarray, "N X"], draws: int = 1000) -> Float[ndarray, "3 X"]:
    """Return the mean over rows and the ends of its 95% interval, by resampling the rows with replacement."""
    random = np.random.default_rng(0)
    means = values[random.integers(len(values), size=(draws, len(values)))].mean(1)
    return np.stack([values.mean(0), *np.quantile(means, (0.025, 0.975), axis=0)])


class GradientPaths(NamedTuple):
    """The gradient of log p_t(y_t) at each annotation, by the way it takes. The three add up to the whole gradient."""

    context: Float[ndarray, "S E"]  # c_t = Σ α_ti h_i with these weights: α_ti ∂ log p / ∂ c_t
    scores: Float[ndarray, "S E"]  # the weights of step t, which follow from its scores
    recurrence: Float[ndarray, "S E"]  # all that steps before t left in the decoder


def gradient_paths(model: Pretrained, trace: Trace, step: int) -> GradientPaths:
    """Return the gradients at a step, counted from 0, that reach the annotations of a trace."""
    network, fed = model.network, fed_tokens(trace)
    with torch.no_grad():
        mask = network.encode(torch.tensor(trace.source_ids)[None]).mask
    dtype = network.embedding.weight.dtype
    mixed, compared, earlier = (torch.tensor(trace.annotations, dtype=dtype)[None].requires_grad_() for _ in range(3))
    before = Memory(earlier, network.decoder.score.keys(earlier), mask)
    carried = network.start(before)
    for token in fed[:step]:
        carried = network.step(token[None], carried, before).carried
    here = Memory(mixed, network.decoder.score.keys(compared), mask)
    logits = network.logits(network.step(fed[step][None], carried, here).attentional)
    chosen = logits.log_softmax(-1)[0, int(trace.target_ids[step])]
    ways = torch.autograd.grad(chosen, (mixed, compared, earlier), allow_unused=True)
    zeros = torch.zeros_like(mixed)
    return GradientPaths(*((zeros if way is None else way)[0].numpy() for way in ways))


@torch.inference_mode()
def moved_by_others(model: Pretrained, trace: Trace) -> Float[ndarray, "S S"]:
    """Return how far the annotation of token i moves, relative to its length, when only token j is left out, at [j, i].
    The diagonal and the row of `</s>` are NaN."""
    ids = trace.source_ids.tolist()
    after = model.network.encode(torch.tensor(without_each(ids))).annotations.double().numpy()
    found = np.full((len(ids), len(ids)), np.nan)
    for out, rows in enumerate(after):
        kept = [place for place in range(len(ids)) if place != out]
        found[out, kept] = moved(trace.annotations[kept].astype(np.float64), rows)
    return found


def at_once_difference(model: Pretrained, sentence: str) -> float:
    """Return the largest difference in h̃ between all steps computed at once and one after another."""
    (trace,) = translate(model, [sentence])
    with torch.inference_mode():
        memory = model.network.encode(torch.tensor(trace.source_ids)[None])
        together = model.network.vectors(fed_tokens(trace)[None], memory)[0].numpy()
    return float(np.abs(together - trace.attentional).max())


def multiplications(model: Pretrained, steps: int, positions: int, size: int) -> tuple[int, int]:
    """Return the multiplications of attention and of the rest of the decoder for this many steps and source tokens,
    whose annotations have `size` numbers each."""
    sizes = {name: each.numel() for name, each in model.network.named_parameters() if each.dim() == 2}
    keys = positions * sum(count for name, count in sizes.items() if name.startswith("decoder.score"))
    attention = keys + steps * 2 * positions * size  # W h once for a sentence; s · W h and α h at every step
    step = ("decoder.cell", "decoder.W_c", "embedding.weight")
    return attention, steps * sum(count for name, count in sizes.items() if name.startswith(step))


class Apart(NamedTuple):
    """The greatest difference of any component of a state and of a context, over all steps."""

    states: float
    contexts: float


def apart(one: AnyTrace, other: AnyTrace) -> Apart:
    """Return how much the decoder differs on two sentences. Raises InputError unless it was fed the same tokens."""
    if one.target_ids.tolist() != other.target_ids.tolist():
        raise InputError("the decoder was fed different tokens; both need the same translation")
    pairs = ((one.decoder_states, other.decoder_states), (one.attention_output, other.attention_output))
    return Apart(*(float(np.abs(mine.astype(np.float64) - theirs).max()) for mine, theirs in pairs))


def by_words(trace: Trace) -> Float[ndarray, "W E"]:
    """Return each word's annotation, the mean over its tokens. `</s>` is a word of its own."""
    word_of, annotations = np.array(trace.alignment.source.word_of), trace.annotations.astype(np.float64)
    return np.stack([annotations[word_of == word].mean(0) for word in range(len(trace.alignment.source.words))])


def moved(before: Float[ndarray, "W E"], after: Float[ndarray, "M E"]) -> Float[ndarray, " W"]:
    """Return the relative shifts: 0 if unmoved, 1 if moved by the vector's own length. Raises InputError if the numbers
    of words differ."""
    if before.shape != after.shape:
        raise InputError(f"{len(before)} words became {len(after)}; both need the same number")
    return np.linalg.norm(after - before, axis=1) / np.linalg.norm(before, axis=1)
