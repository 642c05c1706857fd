"""Text measures: BLEU and chrF of a whole text with intervals, and the words that are most often translated badly.

An interval is sacrebleu's: the mean of bootstrap samples plus and minus half the width of their middle 95%
(Koehn 2004).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import isnan, nan
from statistics import fmean
from typing import Any, NamedTuple

import sacrebleu

from regard.model.analysis.attention_statistics import SoftAlignmentScores
from regard.model.data.corpus import Pair
from regard.model.evaluation.translation_quality import by_length
from regard.model.text_report.sentence_measures import SentenceMeasures

SAMPLES = 1000  # of the bootstrap
FEWEST = 10  # fewest sentences with a reference for an interval
NGRAM = 4  # tokens of the longest n-gram that BLEU counts
OFTEN, WORDS = 2, 12  # fewest occurrences of a listed word, and the number of words listed


class TextScore(NamedTuple):
    """A score of the text from 0 to 100, its 95% interval or None, and sacrebleu's signature.

    BLEU is not a number for a text in which no translation has four tokens, the length of its longest n-grams.
    """

    name: str
    score: float
    interval: tuple[float, float] | None
    signature: str

    @property
    def text(self) -> str:
        if isnan(self.score):
            return f"{self.name} undefined (no translation has {NGRAM} tokens), {self.signature}"
        between = f" (95% interval {self.interval[0]:.1f} to {self.interval[1]:.1f})" if self.interval else ""
        return f"{self.name} {self.score:.1f}{between}, {self.signature}"


class CoveredWord(NamedTuple):
    """A source word, its count in the text, and its mean and least coverage."""

    word: str
    occurrences: int
    mean: float
    least: float


def referred(rows: Sequence[SentenceMeasures]) -> list[SentenceMeasures]:
    """Return the rows with a reference."""
    return [row for row in rows if row.reference and row.source]


def text_scores(rows: Sequence[SentenceMeasures]) -> list[TextScore]:
    """Return BLEU and chrF of the sentences with a reference, or nothing without one."""
    some = referred(rows)
    translations, references = [row.translation for row in some], [[row.reference for row in some]]
    metrics = {"BLEU": sacrebleu.BLEU(max_ngram_order=NGRAM), "chrF": sacrebleu.CHRF()} if some else {}
    scores = []
    for name, metric in metrics.items():
        samples = SAMPLES if len(some) >= FEWEST else 1
        result = metric.corpus_score(translations, references, n_bootstrap=samples)
        mean, half = getattr(result, "_mean", 0.0), getattr(result, "_ci", 0.0)
        interval = (mean - half, mean + half) if samples > 1 and mean > 0 else None
        defined = name != "BLEU" or result.totals[-1] > 0
        scores.append(TextScore(name, result.score if defined else nan, interval, str(metric.get_signature())))
    return scores


def bleu_by_length(rows: Sequence[SentenceMeasures], languages: tuple[str, str]) -> list[dict[str, Any]]:
    """Return BLEU with its interval for sentences of like length; see `translation_quality.by_length`."""
    some = referred(rows)
    return by_length([Pair(row.source, row.reference) for row in some], [row.translation for row in some], languages)


def soft_alignment_means(rows: Sequence[SentenceMeasures]) -> SoftAlignmentScores | None:
    """Return the mean of each soft-alignment score over the sentences, or None without attention."""
    names = SoftAlignmentScores._fields
    values = [[getattr(row, name) for name in names] for row in rows if row.confidence is not None]
    return SoftAlignmentScores(*map(fmean, zip(*values, strict=True))) if values else None


def least_covered(rows: Sequence[SentenceMeasures]) -> list[CoveredWord]:
    """Return the repeated source words that get the least attention on average."""
    coverages: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for word, covered in row.covered:
            if any(map(str.isalnum, word)):
                coverages[word.lower()].append(covered)
    words = [CoveredWord(word, len(of), fmean(of), min(of)) for word, of in coverages.items() if len(of) >= OFTEN]
    return sorted(words, key=lambda each: each.mean)[:WORDS]


def weakest_words(rows: Sequence[SentenceMeasures]) -> list[tuple[str, int]]:
    """Return the words that are most often the weakest of their translation, with counts."""
    counts = Counter(row.weakest_word.lower() for row in rows if row.weakest_word)
    return [(word, times) for word, times in counts.most_common(WORDS) if times >= OFTEN]
