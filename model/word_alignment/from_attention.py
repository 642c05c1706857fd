"""Word alignment from attention or its posterior: agreement with people's links, for the greatest weight and for all
weights, of one pair or many, and of each cross-attention head of a Transformer.

A head is named by its layer and its number in it, from 0. In addition to single heads there are the mean of each layer
and the mean of all. Rows belong to the word produced ("output") or to the word fed in ("input"), which is the one that
a decoder layer knows best (Garg et al. 2019; Chen et al. 2020).
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import ROWS, Alignment
from regard.model.checkpoint import AnyModel, AnyPretrained, Pretrained
from regard.model.network import TraceT
from regard.model.readable import shorten
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.transformer.trace import AttentionTrace, TransformerTrace
from regard.model.translate import force
from regard.model.word_alignment.alignment_error_rate import (
    NO_LINKS,
    Agreement,
    GoldPair,
    Link,
    Summable,
    agreement,
    rates,
)
from regard.model.word_alignment.detokenize import Joined, between, join, links
from regard.model.word_alignment.posterior import READINGS, posterior, smoothed_between

TRACES = 8  # traced together: all their numbers are in memory at once
Sides = tuple[Joined, Joined]  # source and target of a pair


@dataclass(frozen=True)
class EndMass(Summable):
    """The weight that target words put on the source's `</s>`: sums over words; those of several sentences add up."""

    first: float = 0.0
    sentences: int = 0
    every: float = 0.0
    words: int = 0

    @staticmethod
    def of(weights: Float[ndarray, "R C"]) -> "EndMass":
        """Sum from one sentence's weights between words, whose last column is that of `</s>`."""
        column = weights[:, -1].astype(np.float64)
        return EndMass(float(column[:1].sum()), len(column[:1]), float(column.sum()), len(column))

    def shares(self) -> dict[str, float]:
        """Return the means over first words and over all words."""
        first, every = self.first / max(1, self.sentences), self.every / max(1, self.words)
        return {"first_word": round(first, 4), "all_words": round(every, 4)}


@dataclass(frozen=True)
class LinkMass(Summable):
    """The share of linked target words' weight that lies on the source words they are linked to.

    After Ghader and Monz (2017). A target word without a gold link does not count; weight on `</s>` lies on no link.
    `sure` covers target words with a sure link and their sure links alone, `possible` those with any link.
    """

    on_sure: float = 0.0
    sure: float = 0.0
    on_possible: float = 0.0
    possible: float = 0.0

    @staticmethod
    def of(weights: Float[ndarray, "R C"], pair: GoldPair) -> "LinkMass":
        """Sum from the weights between the pair's words, a row per target word."""
        return LinkMass(*_linked_mass(weights, pair.sure), *_linked_mass(weights, pair.possible))

    def shares(self) -> dict[str, float]:
        """Return shares from 0 to 1; 0 if no word is linked."""
        sure, possible = (
            on / every if every else 0.0 for on, every in ((self.on_sure, self.sure), (self.on_possible, self.possible))
        )
        return {"mass_on_sure": round(sure, 4), "mass_on_possible": round(possible, 4)}


@dataclass(frozen=True)
class RowReading(Summable):
    """Rows of one reading: weights of the word produced or of the word fed in, or a posterior."""

    agreement: Agreement = NO_LINKS
    mass: LinkMass = field(default_factory=LinkMass)


@dataclass(frozen=True)
class Aligned(Summable):
    """Agreement with the gold links of one pair or several; two can be added."""

    output: RowReading = field(default_factory=RowReading)
    input: RowReading = field(default_factory=RowReading)
    posterior: RowReading = field(default_factory=RowReading)
    posterior_hmm: RowReading = field(default_factory=RowReading)
    end: EndMass = field(default_factory=EndMass)
    pairs: int = 0

    def scores(self) -> dict[str, Any]:
        each = {name: getattr(self, name) for name in ("output", "input", "posterior", "posterior_hmm")}
        measured = {name: reading for name, reading in each.items() if name in ROWS or reading != RowReading()}
        return {
            "pairs": self.pairs,
            **{rows: {**rates(reading.agreement), **reading.mass.shares()} for rows, reading in measured.items()},
            "weight_on_end": self.end.shares(),
        }


def forced(model: AnyPretrained[TraceT], pairs: Sequence[Sides]) -> Iterator[TraceT]:
    """Yield the trace of each pair, its target forced on its source."""
    for start in range(0, len(pairs), TRACES):
        yield from force(model, [(source.text, target.text) for source, target in pairs[start : start + TRACES]])


def forced_pairs(
    model: AnyPretrained[TraceT], gold: Sequence[GoldPair]
) -> Iterator[tuple[GoldPair, Joined, Joined, TraceT]]:
    """Yield each pair with both sides joined into text, and the trace of the target forced on the source."""
    sides = [pair.joined(model.tokenizer.languages) for pair in gold]
    for pair, (source, target), trace in zip(gold, sides, forced(model, sides), strict=True):
        yield pair, source, target, trace


def aligned(model: AnyModel, gold: Sequence[GoldPair], posteriors: bool = True) -> Iterator[Aligned]:
    """Force each pair, its words first joined into text, and compare links between the given words.

    Without `posteriors`, which take several times as long as all the rest, their readings stay empty, as they do for a
    Transformer, because posteriors are defined for a single attention.
    """
    for pair, source, target, trace in forced_pairs(model, gold):
        rows = [between(trace.alignment, source, target, row) for row in ROWS]
        end = EndMass.of(rows[0])
        if posteriors and isinstance(model, Pretrained) and isinstance(trace, Trace):
            known = posterior(model, trace)  # shared by both readings
            rows.append(between(known.over(trace.alignment), source, target))
            rows.append(smoothed_between(trace.alignment, known, source, target))
        read = (agreement(links(weights), pair.sure, pair.possible) for weights in rows)
        masses = (LinkMass.of(weights, pair) for weights in rows)
        yield Aligned(*map(RowReading, read, masses), end=end, pairs=1)


def _linked_mass(weights: Float[ndarray, "R C"], gold: frozenset[tuple[int, int]]) -> tuple[float, float]:
    """Return the weight on gold links, and the total weight of the linked target words."""
    on = math.fsum(weights[target, source] for source, target in gold)
    return on, float(weights[sorted({target for _, target in gold})].sum())


MEAN = -1  # instead of a head or layer number: the mean over all
Place = tuple[str, int, int]  # rows, layer, head
HeadAgreements = Mapping[Place, Agreement]


class CrossHead(NamedTuple):
    """A head of the cross-attention, or a mean of heads."""

    layer: int
    head: int


MEAN_OF_ALL = CrossHead(MEAN, MEAN)


def head_agreements(model: PretrainedTransformer, gold: Sequence[GoldPair]) -> Iterator[HeadAgreements]:
    """Yield the agreements of each pair, forced as a whole, its words first joined into text."""
    for pair, source, target, trace in forced_pairs(model, gold):
        sides = trace.alignment.source, trace.alignment.target
        yield {
            (rows, head.layer, head.head): agreement(
                links(between(Alignment(*sides, weights), source, target, rows)), pair.sure, pair.possible
            )
            for head, weights in readings(trace.cross_attention)
            for rows in ROWS
        }


def alignment_of(trace: AnyTrace, head: CrossHead) -> Alignment:
    """Return the alignment of one head or mean; a recurrent network has a single attention, returned for any head."""
    if not isinstance(trace, TransformerTrace):
        return trace.alignment
    weights = dict(readings(trace.cross_attention))[head]
    return Alignment(trace.alignment.source, trace.alignment.target, weights)


def readings(attention: AttentionTrace) -> Iterator[tuple[CrossHead, Float[ndarray, "T S"]]]:
    """Yield the weights of every head, of each layer's mean and of the mean of all."""
    layers, heads = attention.weights.shape[:2]
    for layer in range(layers):
        yield from ((CrossHead(layer, head), attention.weights[layer, head]) for head in range(heads))
        yield CrossHead(layer, MEAN), attention.mean(layer)
    yield MEAN_OF_ALL, attention.weights.mean((0, 1))


def summed(found: Sequence[HeadAgreements]) -> HeadAgreements:
    """Sum the agreements of several pairs or stories."""
    places = dict.fromkeys(place for each in found for place in each)
    return {place: sum((each[place] for each in found), NO_LINKS) for place in places}


def best_head(found: HeadAgreements) -> Place:
    """Return the single head with the lowest error rate in either kind of rows; the first of equal ones."""
    return min((place for place in found if MEAN not in place[1:]), key=lambda place: found[place].error_rate)


def head_scores(stories: Mapping[str, HeadAgreements]) -> dict[str, Any]:
    """Return the entry of `scores.json`: the error rate of every reading, and `elsewhere`, the error rate of the best
    head on stories that did not choose it: for each story, the head is the best one on the other stories."""
    together = summed(list(stories.values()))
    chosen = {
        name: best_head(summed([found for other, found in stories.items() if other != name]))
        for name in stories
        if len(stories) > 1
    }
    elsewhere = {name: stories[name][place] for name, place in chosen.items()}
    scores: dict[str, Any] = {rows: _by_layer(together, rows) for rows in ROWS}
    scores["best"] = _rates_of(best_head(together), together[best_head(together)])
    if chosen:
        most, _ = Counter(chosen.values()).most_common(1)[0]
        scores["chosen_on_the_others"] = {name: _rates_of(chosen[name], found) for name, found in elsewhere.items()}
        scores["elsewhere"] = {**_rates_of(most, sum(elsewhere.values(), NO_LINKS)), "stories": len(chosen)}
    return scores


def _by_layer(found: HeadAgreements, rows: str) -> dict[str, Any]:
    layers = sorted({layer for _, layer, _ in found} - {MEAN})
    heads = sorted({head for _, _, head in found} - {MEAN})

    def aer(*place: Any) -> float:
        return rates(found[place])["aer"]

    return {
        "heads": [[aer(rows, layer, head) for head in heads] for layer in layers],
        "layers": [aer(rows, layer, MEAN) for layer in layers],
        "mean": aer(rows, MEAN, MEAN),
    }


def _rates_of(place: Place, found: Agreement) -> dict[str, Any]:
    return {**dict(zip(("rows", "layer", "head"), place, strict=True)), **rates(found)}


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


def of_pair(pair: GoldPair, model: AnyModel, trace: AnyTrace, rows: str, head: CrossHead = MEAN_OF_ALL) -> Compared:
    """Compare by the words given to people; `trace` is of the pair's joined texts, forced as a whole. `rows` is one of
    ROWS, where `head` chooses a Transformer's weights, or of READINGS."""
    source, target = sides = pair.joined(model.tokenizer.languages)
    if rows in ROWS:
        return Compared(pair, source.words, target.words, between(alignment_of(trace, head), source, target, rows))
    return Compared(pair, source.words, target.words, word_weights(model, trace, sides, rows), rows)


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


def joined(model: AnyModel, pair: Sequence[str]) -> Sides:
    """Return both sides as ordinary text with the places of their words."""
    source, target = (join(line, language) for line, language in zip(pair, model.tokenizer.languages, strict=True))
    return source, target


def fits(model: AnyModel, pair: Sides) -> bool:
    """Return True if neither side has more tokens than are read from a line."""
    return all(shorten(model.tokenizer, part.text, side) == part.text for side, part in enumerate(pair))


def word_weights(
    model: AnyModel, trace: AnyTrace, pair: Sides, reading: str, rows: str = "output"
) -> Float[ndarray, "R C"]:
    """Return weights with a row per target word, by one of READINGS."""
    source, target = pair
    if isinstance(model, Pretrained) and isinstance(trace, Trace) and rows == "output":
        return READINGS[reading](model, trace, source, target)
    return between(trace.alignment, source, target, rows)
