"""Offers: the temperatures to choose from, and the weights that match hand-made word links."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool

from regard.model.alignment import Alignment
from regard.model.changes.kinds import TEMPERATURES
from regard.model.changes.marks import changes
from regard.model.trace import AnyTrace
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.detokenize import Joined
from regard.model.words import Span

BETWEEN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0)  # temperatures on offer


class AlignedWeights(NamedTuple):
    """The weight of each source position at one step, or the reason for their absence."""

    row: tuple[float, ...]
    why: str


UNALIGNED = AlignedWeights((), "Only sentences of the hand-aligned stories have gold links, and this is none of them.")


def offered(before: AnyTrace, after: AnyTrace, pair: GoldPair | None) -> dict[str, Any]:
    """Return the marks of `after` with the changes that the stepper offers next. `pair` is the aligned sentence pair of
    the source, if people have aligned it; steps and positions are those of `after`."""
    gold = golden(pair, after.alignment, after.reach) if pair else [UNALIGNED] * len(after.reach)
    return changes(before, after) | {
        "temperatures": sorted({*TEMPERATURES, *BETWEEN, after.intervention.temperature}),
        "gold": [one._asdict() for one in gold],
    }


def golden(pair: GoldPair, alignment: Alignment, mask: Bool[np.ndarray, "T S"]) -> list[AlignedWeights]:
    """Return for each step the weights that lie only on source words that people linked to the word produced there.

    The weight is spread evenly over these words, and over the tokens of each. Possible links count only if there is no
    sure one. If the hand-made translation repeats a word, the occurrence at the nearest relative place counts.
    """
    source, target = pair.joined((alignment.source.language, alignment.target.language))
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
    """Give each word the same weight, shared by those of its tokens that the decoder may attend to."""
    row = np.zeros(len(mask))
    for word in words:
        inside = [token.start < word.stop and word.start < max(token.stop, token.start + 1) for token in tokens]
        own = [place for place, within in enumerate(inside) if within and mask[place]]
        row[own] += 1 / max(1, len(own))
    return row
