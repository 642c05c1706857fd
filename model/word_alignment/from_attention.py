"""Word alignment from attention or its posterior: agreement with people's links, for the greatest weight and for all
weights."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import ROWS
from regard.model.checkpoint import AnyModel, AnyPretrained, Pretrained
from regard.model.network import TraceT
from regard.model.trace import Trace
from regard.model.translate import force
from regard.model.word_alignment.alignment_error_rate import NO_LINKS, Agreement, GoldPair, Summable, agreement, rates
from regard.model.word_alignment.detokenize import Joined, between, links
from regard.model.word_alignment.posterior import posterior
from regard.model.word_alignment.readings import posterior_between, smoothed_between

TRACES = 8  # traced together: all their numbers are in memory at once


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


def forced_pairs(
    model: AnyPretrained[TraceT], gold: Sequence[GoldPair]
) -> Iterator[tuple[GoldPair, Joined, Joined, TraceT]]:
    """Yield each pair with both sides joined into text, and the trace of the target forced on the source."""
    joined = [pair.joined(model.tokenizer.languages) for pair in gold]
    for start in range(0, len(gold), TRACES):
        some = slice(start, start + TRACES)
        traces = force(model, [(source.text, target.text) for source, target in joined[some]])
        for pair, (source, target), trace in zip(gold[some], joined[some], traces, strict=True):
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
            rows += [read(trace.alignment, known, source, target) for read in (posterior_between, smoothed_between)]
        yield Aligned(*(_reading(weights, pair) for weights in rows), end=end, pairs=1)


def _reading(weights: Float[ndarray, "R C"], pair: GoldPair) -> RowReading:
    return RowReading(agreement(links(weights), pair.sure, pair.possible), LinkMass.of(weights, pair))


def _linked_mass(weights: Float[ndarray, "R C"], gold: frozenset[tuple[int, int]]) -> tuple[float, float]:
    """Return the weight on gold links, and the total weight of the linked target words."""
    on = math.fsum(weights[target, source] for source, target in gold)
    return on, float(weights[sorted({target for _, target in gold})].sum())
