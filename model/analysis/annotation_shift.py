"""Shift of annotations and of decoder states when a sentence changes.

moved_w = |h'_w − h_w| / |h_w|    where h_w is the mean of the annotations of the tokens of word w
apart   = max |s'_t − s_t|        over all components and steps of two sentences whose decoder is fed the same tokens
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.trace import AnyTrace, Trace


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
