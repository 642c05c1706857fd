"""Measurements that answer claims of tutorials and questions of the lesson.

Are early words forgotten, are steps taken one by one, what does attention cost, what does a decoder write without its
source, and how far does a changed word move the annotations of the others?

    moved_w = |h'_w − h_w| / |h_w|    where h_w is the mean of the annotations of the tokens of word w
    apart   = max |s'_t − s_t|        over all components and steps of two sentences, if the same tokens are fed
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from regard.model.analysis.faithfulness import leave_one_out
from regard.model.attention import NO_STEERING, Steering
from regard.model.autoregression import Prefixes, advance, empty, likeliest
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.network import fed_tokens
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace, Trace
from regard.model.translate import read, translate


def influence_by_third(model: Pretrained, sentences: Sequence[str]) -> tuple[float, float, float]:
    """Return how far leaving out a token changes a step, on average, by the third of the sentence it stands in."""
    changes = [leave_one_out(model, trace)[:, :-1].mean(0) for trace in translate(model, sentences)]
    thirds = [[float(part.mean()) for part in np.array_split(each, 3)] for each in changes]
    first, middle, last = np.mean(thirds, axis=0).tolist()
    return first, middle, last


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


@torch.inference_mode()
def without_source(model: Pretrained, sentence: str, state: bool = False, context: bool = False) -> str:
    """Return the greedy translation with s_0 = 0 where `state` is true and c = 0 where `context` is true.

    c = ½ (h_1 + h_S) is the context of every step of a decoder without attention; s_0 = tanh(W_b [→h_S ; ←h_1] + b_b)
    is where it begins. It knows the source through these two lists alone.
    """
    network, tokenizer = model.network, model.tokenizer
    memory, (most,) = read(model, [tokenizer.encode(sentence, tokenizer.languages[0])])
    prefixes = empty(network, memory)
    if state:
        recurrent = prefixes.carried.recurrent
        start = recurrent._replace(state=torch.zeros_like(recurrent.state))
        prefixes = prefixes._replace(carried=prefixes.carried._replace(recurrent=start))
    steering = Steering.to(torch.zeros(memory.mask.shape)) if context else NO_STEERING
    written: list[int] = []
    while len(written) < most and STOP not in written:
        step, logits = advance(network, prefixes, steering)
        tokens = likeliest(len(written), logits)
        written.append(int(tokens))
        prefixes = Prefixes(tokens, step.carried, memory)
    return tokenizer.decode(written)


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
