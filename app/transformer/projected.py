"""The visitor's sentence in small matrices: the model's own vectors of its tokens, made short by chance.

The Transformer's examples begin with them in place of the numbers they are stated with.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from app.loaders import reference_weights
from model.quantity import token_label
from model.trace import Trace
from model.words import END
from model.worked.cross_attention import CROSS_ATTENTION, FRENCH
from model.worked.cross_attention import WORDS as SOURCE_WORDS
from model.worked.example import LARGEST, Example
from model.worked.masks import MASKED, causal, padding
from model.worked.projected import projected, retold
from model.worked.self_attention import WORDS

EMBEDDINGS = "encoder.embedding.weight"
SEEDS = {"embeddings": 5, "annotations": 6, "states": 7}  # of the random projections
PAD, PADDED = "<pad>", 2  # the token that fills up a batch, and how many of them are shown
PAD_INDEX = 0
MASKS = {"causal": "what comes later", "padding": "padding", "both": "both", "none": "nothing"}


@dataclass(frozen=True)
class Projected:
    """The first tokens of a sentence and of its translation, without `</s>`, and their vectors of 4 numbers."""

    words: tuple[str, ...]
    X: Float[ndarray, "S 4"]  # embeddings
    pad: Float[ndarray, "1 4"]  # the embedding of <pad>
    H: Float[ndarray, "S 4"]  # annotations
    made: tuple[str, ...]
    states: Float[ndarray, "T 4"]  # of the decoder
    tokens: int  # of the whole sentence
    embedding: int  # numbers in one of the model's embeddings
    annotation: int  # in an annotation
    state: int  # in a state


def of_trace(trace: Trace) -> Projected:
    """What the screen shows of this translation."""
    embeddings = reference_weights(trace.maker.name)[EMBEDDINGS]
    read, made = _spoken(trace.source), _spoken(trace.target)
    words, made = read[:LARGEST], made[:LARGEST]
    X = projected(embeddings[np.array([*trace.source_ids[: len(words)], PAD_INDEX])], SEEDS["embeddings"])
    return Projected(
        tuple(map(token_label, words)),
        X[:-1],
        X[-1:],
        projected(trace.annotations[: len(words)], SEEDS["annotations"]),
        tuple(map(token_label, made)),
        projected(trace.states[: len(made)], SEEDS["states"]),
        len(read),
        embeddings.shape[1],
        trace.annotations.shape[1],
        trace.states.shape[1],
    )


def asked_by_decoder(found: Projected) -> Example:
    """Cross-attention between the translation and the sentence."""
    matrices = {"states": found.states, "H": found.H}
    return retold(CROSS_ATTENTION, matrices, {SOURCE_WORDS: found.words, FRENCH: found.made})


def asking_itself(example: Example, found: Projected) -> Example:
    """One of the examples of self-attention, on the sentence."""
    return retold(example, {"X": found.X}, {WORDS: found.words})


def masked(found: Projected, kind: str) -> Example:
    """Self-attention on the sentence and some padding, with what `kind` of `MASKS` hides."""
    words = found.words[: LARGEST - PADDED]
    count = len(words) + PADDED
    real = [place < len(words) for place in range(count)]
    hides = {"causal": causal(count), "padding": padding(real), "both": causal(count) * padding(real)}
    X = np.vstack([found.X[: len(words)], *[found.pad] * PADDED])
    matrices = {"X": X, "mask": hides.get(kind, np.ones((count, count)))}
    return retold(MASKED, matrices, {WORDS: (*words, *[PAD] * PADDED)})


def _spoken(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Without the `</s>` that ends most translations, unless it is all there is."""
    return tokens[:-1] if tokens[-1] == END and len(tokens) > 1 else tokens
