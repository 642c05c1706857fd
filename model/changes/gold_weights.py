"""Gold weights: the rows of weights that the links of a hand-aligned sentence would give."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool

from regard.model.alignment import Alignment
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.detokenize import Joined, join
from regard.model.words import Span


class AlignedWeights(NamedTuple):
    """For one step: the weight of each source position, or why there are none."""

    row: tuple[float, ...]
    why: str


UNALIGNED = AlignedWeights((), "Only sentences of the hand-aligned stories have gold links, and this is none of them.")


def golden(pair: GoldPair, alignment: Alignment, mask: Bool[np.ndarray, "T S"]) -> list[AlignedWeights]:
    """For each step: all weight on the source words that people linked to the word produced there.

    The weight is spread evenly over these words, and over the tokens of each. Sure links count where there are any. A
    word that the hand-made translation has more than once is the one at the likest place.
    """
    source, target = join(pair.source, alignment.source.language), join(pair.target, alignment.target.language)
    return [_step(pair, source, target, alignment, step, row) for step, row in enumerate(mask)]


def _step(
    pair: GoldPair, source: Joined, target: Joined, alignment: Alignment, step: int, mask: Bool[np.ndarray, " S"]
) -> AlignedWeights:
    place = alignment.target.word_of[step]
    word = alignment.target.words[place]
    if place >= alignment.target.spoken:
        return AlignedWeights((), "The end of the sentence has no gold link.")
    places = [index for index, other in enumerate(target.words) if other.casefold() == word.casefold()]
    if not places:
        return AlignedWeights((), f"The hand-made translation has no “{word}”: {target.text}")
    share = place / alignment.target.spoken
    likest = min(places, key=lambda index: abs(index / len(target.words) - share))
    links = [link for link in pair.sure if link[1] == likest] or [link for link in pair.possible if link[1] == likest]
    row = _spread([source.spans[link[0]] for link in links], alignment.source.characters[:-1], mask)
    if row.any():
        return AlignedWeights(tuple((row / row.sum()).tolist()), "")
    return AlignedWeights((), f"People linked “{word}” to nothing that can be looked at.")


def _spread(words: Sequence[Span], tokens: Sequence[Span], mask: Bool[np.ndarray, " S"]) -> np.ndarray:
    """As much weight for each word, shared by its tokens that may be looked at."""
    row = np.zeros(len(mask))
    for word in words:
        inside = [token.start < word.stop and word.start < max(token.stop, token.start + 1) for token in tokens]
        own = [place for place, within in enumerate(inside) if within and mask[place]]
        row[own] += 1 / max(1, len(own))
    return row
