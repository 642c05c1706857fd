"""The visitor's sentence in small matrices: the model's own vectors of its tokens, made short by chance.

The Transformer's examples begin with them in place of the numbers they are stated with.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from app.models.traces import reference_parameters
from model.arithmetic.quantity import token_label
from model.examples import cross_attention, multi_head, self_attention
from model.examples.cross_attention import CROSS_ATTENTION, FRENCH
from model.examples.cross_attention import WORDS as SOURCE_WORDS
from model.examples.example import LARGEST, Example
from model.examples.multi_head import HEADS
from model.examples.random_numbers import projected, retold
from model.examples.self_attention import MASKED, WORDS, causal, padding
from model.trace import Trace
from model.words import END

EMBEDDINGS = "encoder.embedding.weight"
SEEDS = {"embeddings": 5, "annotations": 6, "states": 7}  # of the random projections
PAD, PADDED = "<pad>", 2  # the token that fills up a batch, and how many of them are shown
PAD_INDEX = 0
PAPER = "Vaswani et al. (2017), Attention Is All You Need, section 3.2"
MASKS = {"causal": "what comes later", "padding": "padding", "both": "both", "none": "nothing"}


@dataclass(frozen=True, eq=False)
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
    model: str  # its name

    def embedded(self, tokens: tuple[str, ...]) -> str:
        """What an X of these tokens is, for those who have no screen beside it."""
        return (
            f"X holds the embeddings that the model {self.model} has of {_listed(tokens)}, made short by a random "
            f"matrix with seed {SEEDS['embeddings']}"
        )

    @property
    def met(self) -> str:
        """What H and S are."""
        return (
            f"H holds the annotations that the model {self.model} made of {_listed(self.words)}, S the "
            f"decoder's states that wrote {_listed(self.made)}, made short by random matrices with seeds "
            f"{SEEDS['annotations']} and {SEEDS['states']}"
        )


def of_trace(trace: Trace) -> Projected:
    """What the screen shows of this translation."""
    embeddings = reference_parameters(trace.maker.name)[EMBEDDINGS]
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
        trace.maker.name,
    )


def asked_by_decoder(projected: Projected) -> Example:
    """Cross-attention between the translation and the sentence."""
    matrices = {"states": projected.states, "H": projected.H}
    words = {SOURCE_WORDS: projected.words, FRENCH: projected.made}
    source = f"Luong et al. (2015); {PAPER}"
    return retold(CROSS_ATTENTION, matrices, words, f"{source}; {projected.met}; {by_chance(CROSS_ATTENTION)}")


def asking_itself(example: Example, projected: Projected) -> Example:
    """One of the examples of self-attention, on the sentence."""
    source = f"{PAPER}; {projected.embedded(projected.words)}; {by_chance(example)}"
    return retold(example, {"X": projected.X}, {WORDS: projected.words}, source)


def masked(projected: Projected, kind: str) -> Example:
    """Self-attention on the sentence and some padding, with what `kind` of `MASKS` hides."""
    words = projected.words[: LARGEST - PADDED]
    count = len(words) + PADDED
    real = [place < len(words) for place in range(count)]
    hides = {"causal": causal(count), "padding": padding(real), "both": causal(count) * padding(real)}
    X = np.vstack([projected.X[: len(words)], *[projected.pad] * PADDED])
    matrices = {"X": X, "mask": hides.get(kind, np.ones((count, count)))}
    source = f"{PAPER}; {projected.embedded((*words, PAD))}; {by_chance(MASKED)}"
    return retold(MASKED, matrices, {WORDS: (*words, *[PAD] * PADDED)}, source)


def seed_of(example: Example) -> int:
    """Of its matrices W."""
    own = {CROSS_ATTENTION.name: cross_attention.SEED, HEADS.name: multi_head.SEED}
    return own.get(example.name, self_attention.SEED)


def by_chance(example: Example) -> str:
    return f"the matrices W are drawn by chance with seed {seed_of(example)}"


def _listed(tokens: tuple[str, ...]) -> str:
    return " ".join(f"“{token}”" for token in tokens)


def _spoken(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Without the `</s>` that ends most translations, unless it is all there is."""
    return tokens[:-1] if tokens[-1] == END and len(tokens) > 1 else tokens
