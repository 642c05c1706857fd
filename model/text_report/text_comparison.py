"""Comparison of two models on one text: the sentences that each wins, and the significance of the difference in BLEU.

The test is sacrebleu's paired bootstrap (Koehn 2004): the p-value is the share of bootstrap samples in which the
difference is at least as far from its mean as the observed one is from 0. Equal scores have a p-value of 1.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import sacrebleu
from sacrebleu.significance import PairedTest

from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.text_report.text_measures import FEWEST, referred

SAMPLES = 1000
Pairing = tuple[SentenceMeasures, SentenceMeasures]


class ScoreDifference(NamedTuple):
    """A score of both models on the sentences with a reference, and the p-value of the difference; None if too few."""

    name: str
    first: float
    second: float
    p_value: float | None


def pairings(first: Sequence[SentenceMeasures], second: Sequence[SentenceMeasures]) -> list[Pairing]:
    """Return the sentences that both models translated, in order."""
    others = {row.number: row for row in second}
    return [(row, others[row.number]) for row in first if row.number in others and row.source]


def wins(pairs: Sequence[Pairing]) -> tuple[int, int, int]:
    """Return the counts of sentences in which the first model, the second, or neither has the higher chrF."""
    compared = [(one.chrf, other.chrf) for one, other in pairs if one.chrf is not None and other.chrf is not None]
    first, second = (sum(one > other for one, other in side) for side in (compared, [pair[::-1] for pair in compared]))
    return first, second, len(compared) - first - second


def likeness(pair: Pairing) -> float:
    """Return 2 M / N for M words that both translations have in the same order among N words of both (`difflib`)."""
    first, second = (row.translation.split() for row in pair)
    return SequenceMatcher(None, first, second, False).ratio()


def most_different(pairs: Sequence[Pairing], most: int = 10) -> list[Pairing]:
    """Return the sentences whose translations share the fewest words, the least alike first."""
    return [pair for pair in sorted(pairs, key=likeness) if pair[0].translation != pair[1].translation][:most]


def significance(pairs: Sequence[Pairing]) -> list[ScoreDifference]:
    """Return BLEU and chrF of both models, with p-values from `FEWEST` references on; nothing without references."""
    some = [pair for pair in pairs if referred([pair[0]])]
    if not some:
        return []
    systems: Any = [(str(place), [pair[place].translation for pair in some]) for place in (0, 1)]
    metrics = {"BLEU": sacrebleu.BLEU(), "chrF2": sacrebleu.CHRF()}
    references = [[pair[0].reference for pair in some]]
    results: Any = PairedTest(systems, metrics, references, test_type="bs", n_samples=SAMPLES)()[1]
    both = [(name, *results[name]) for name in metrics]
    return [ScoreDifference(name, one.score, two.score, _p_value(one, two, len(some))) for name, one, two in both]


def _p_value(first: Any, second: Any, sentences: int) -> float | None:
    if sentences < FEWEST:
        return None
    return 1.0 if first.score == second.score else second.p_value  # sacrebleu counts only differences beyond
