"""Shift of annotations: how far those of a sentence move when it is changed, word by word, as a share of where they
were.

moved_w = |h'_w − h_w| / |h_w|    where h_w is the mean of the annotations of the tokens of word w
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from model.trace import Trace


def by_words(trace: Trace) -> Float[ndarray, "W E"]:
    """A word's annotation: that of its token, or the mean over its tokens. `</s>` is a word of its own."""
    word_of, annotations = np.array(trace.alignment.source.word_of), trace.annotations.astype(np.float64)
    return np.stack([annotations[word_of == word].mean(0) for word in range(len(trace.alignment.source.words))])


def moved(before: Float[ndarray, "W E"], after: Float[ndarray, "M E"]) -> Float[ndarray, " W"]:
    """0 where nothing moved, 1 where it moved as far as it is long. Raises ValueError unless the words correspond."""
    if before.shape != after.shape:
        raise ValueError(f"{len(before)} words became {len(after)}; as many are needed")
    return np.linalg.norm(after - before, axis=1) / np.linalg.norm(before, axis=1)
