"""Comparison of links drawn by people with the attention, or its posterior, between the words of one pair."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment
from regard.model.checkpoint import Pretrained
from regard.model.input_error import check_choice
from regard.model.trace import Trace
from regard.model.word_alignment.alignment_error_rate import Agreement, GoldPair, Link, agreement
from regard.model.word_alignment.detokenize import between, links
from regard.model.word_alignment.from_attention import LinkMass
from regard.model.word_alignment.readings import READINGS


@dataclass(frozen=True, eq=False)
class Compared:
    """Weights (a column per source word and one for `</s>`) and gold links between the words of a pair."""

    gold: GoldPair
    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: Float[ndarray, "R C"]
    reading: str = "weights"  # of READINGS

    @property
    def what(self) -> str:
        """The kind of weights: the attention's, or the posterior's, which is not the attention."""
        return "attention" if self.reading == "weights" else "posterior"

    @property
    def proposed(self) -> frozenset[Link]:
        """The heaviest source word of each target word, left out if it is `</s>`."""
        return frozenset(links(self.weights))

    @property
    def agreement(self) -> Agreement:
        return agreement(self.proposed, self.gold.sure, self.gold.possible)

    @property
    def mass(self) -> float:
        """The share of linked target words' weight that lies on the words they are linked to."""
        return LinkMass.of(self.weights, self.gold).shares()["mass_on_possible"]

    @property
    def missed(self) -> list[Link]:
        """Sure links that were not proposed, in the order of the target."""
        return _in_order(self.gold.sure - self.proposed)

    @property
    def wrong(self) -> list[Link]:
        """Proposed links that people did not draw, in the order of the target."""
        return _in_order(self.proposed - self.gold.sure - self.gold.possible)

    @property
    def silent(self) -> list[int]:
        """Target words for which nothing is proposed."""
        return sorted(set(range(len(self.target))) - {target for _, target in self.proposed})


def of_pair(pair: GoldPair, alignment: Alignment, languages: tuple[str, str], rows: str) -> Compared:
    """Compare by the words given to people; `alignment` is of the pair's joined texts, forced as a whole."""
    source, target = pair.joined(languages)
    return Compared(pair, source.words, target.words, between(alignment, source, target, rows))


def of_reading(pair: GoldPair, model: Pretrained, trace: Trace, reading: str) -> Compared:
    """Compare by one of READINGS; `trace` is of the pair's joined texts, forced as a whole. Raises InputError."""
    check_choice("reading", reading, READINGS)
    source, target = pair.joined(model.tokenizer.languages)
    return Compared(pair, source.words, target.words, READINGS[reading](model, trace, source, target), reading)


def of_words(sure: frozenset[Link], possible: frozenset[Link], alignment: Alignment, rows: str) -> Compared:
    """Compare by the alignment's own words, without `</s>`. A word that no step belongs to has zeros."""
    source, target = (side.words[: side.spoken] for side in (alignment.source, alignment.target))
    merged = alignment.by_words(rows)
    first = int(rows == "input")  # the row of the token before the first word
    taken = merged.weights[first : first + len(target)]
    weights = np.zeros((len(target), len(source) + 1))
    weights[: len(taken)] = taken
    pair = GoldPair("0", " ".join(source), " ".join(target), sure, sure | possible)
    return Compared(pair, source, target, weights)


def _in_order(links: Iterable[Link]) -> list[Link]:
    return sorted(links, key=lambda link: (link[1], link[0]))
