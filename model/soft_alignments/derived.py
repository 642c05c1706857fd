"""Derived from a sentence of a file: its confidence, the same without some columns, and two cut to the same tokens.

Confidence of an alignment, after Rikters and Fishel (2017), “Confidence through Attention”, with I target tokens, J
source tokens, natural logarithms, and rows and columns divided by their sums in the entropies H:

    confidence = − 1/J Σ_j log(1 + (1 − Σ_i α_ij)²) − 1/I Σ_i H(α_i·) − 1/J Σ_j H(α_·j)

It is 0 where each token is aligned to one of its own, and negative otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.input_error import InputError
from regard.model.soft_alignments.record import ForeignSentence
from regard.model.soft_alignments.tokens import marked, sentence
from regard.model.words import END


@dataclass(frozen=True)
class Confidence:
    """The penalties of an alignment, each 0 or negative."""

    coverage: float  # source tokens whose columns do not sum to 1
    rows: float  # target tokens that look at many source tokens
    columns: float  # source tokens that many target tokens look at

    @property
    def total(self) -> float:
        return self.coverage + self.rows + self.columns


def confidence(weights: Float[ndarray, "T S"]) -> Confidence:
    """Return the confidence of an alignment, by its penalties."""
    exact = weights.astype(np.float64)
    coverage = -np.log1p((1 - exact.sum(0)) ** 2).mean()
    return Confidence(*(0.0 - float(value) for value in (-coverage, _entropy(exact), _entropy(exact.T))))


def _entropy(weights: Float[ndarray, "R C"]) -> float:
    """Return the mean entropy of the rows, in nats; a row of zeros has none."""
    shares = weights / np.maximum(weights.sum(1, keepdims=True), np.finfo(np.float64).tiny)
    return float(-(shares * np.log(np.where(shares > 0, shares, 1))).sum(1).mean())


# What can be left out, by its name on screen, and the places that it has in a sentence.
ENDS: dict[str, Callable[[Sentence], set[int]]] = {
    "the first token": lambda side: {0},
    "</s>": lambda side: {place for place, token in enumerate(side.tokens) if token.strip() in (END, "[SEP]")},
}


def without(foreign: ForeignSentence, names: Sequence[str]) -> ForeignSentence:
    """Leave out columns by their names in `ENDS` and divide each row by what is left of it; in self-attention, the
    rows of these tokens as well. A row without weight elsewhere becomes zeros. Raises InputError if nothing is left."""
    source, target = foreign.alignment.source, foreign.alignment.target
    left_out = set[int]().union(*(ENDS[name](source) for name in names))
    columns = [place for place in range(len(source.tokens)) if place not in left_out]
    if not columns:
        raise InputError(f"nothing is left of the source without {' and '.join(names)}")
    given = foreign.given
    alone = given is not None and given.main == "self"
    shorter = _of_places(source, columns)
    heads = {}
    for attention, weights in (given.heads if given else {}).items():
        if attention in ("self", "encoder"):
            heads[attention] = _divided(weights[:, :, columns][..., columns])
        else:
            heads[attention] = _divided(weights[..., columns]) if attention == "cross" else weights
    if given is None:
        weights = _divided(foreign.alignment.weights[:, columns])
        return replace(foreign, alignment=Alignment(shorter, target, weights))
    mean = heads[given.main][-1].mean(0, dtype=np.float64).astype(np.float32)
    alignment = Alignment(shorter, shorter if alone else target, mean)
    changed = replace(given, alignment=alignment, heads=heads, scores={})
    return replace(foreign, alignment=alignment, given=changed)


def _of_places(side: Sentence, places: list[int]) -> Sentence:
    tokens = marked(side)
    return sentence(tuple(tokens[place] for place in places))


def _divided(weights: Float[ndarray, "*L R C"]) -> Float[ndarray, "*L R C"]:
    sums = weights.sum(-1, keepdims=True, dtype=np.float64)
    return np.divide(weights, sums, out=np.zeros(weights.shape), where=sums > 0).astype(np.float32)


def cut_alike(one: Alignment, other: Alignment) -> tuple[Alignment, Alignment]:
    """Cut two alignments to the same sides: an end `</s>` that only one of them has is left out, nothing divided."""
    pairs = ((one.source, other.source), (one.target, other.target))
    alike = [(_ended(first) == _ended(second)) for first, second in pairs]

    def cut(alignment: Alignment) -> Alignment:
        source, target = (
            _of_places(side, [*range(len(side.tokens) - 1)]) if not same and _ended(side) else side
            for side, same in zip((alignment.source, alignment.target), alike, strict=True)
        )
        return Alignment(source, target, alignment.weights[: len(target.tokens), : len(source.tokens)])

    return cut(one), cut(other)


def _ended(side: Sentence) -> bool:
    return side.tokens[-1] == END and len(side.tokens) > 1
