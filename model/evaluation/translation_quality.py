"""BLEU, chrF and speed of a model's translations, and two models compared on the same sentences.

Nothing here prints or writes: long work is a generator, and results are plain values for `scores.json`.
"""

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import sacrebleu
from sacrebleu.metrics.base import Metric

from regard.model.checkpoint import AnyModel
from regard.model.data.corpus import Pair
from regard.model.translate import force, translate
from regard.model.word_alignment.from_attention import EndMass
from regard.model.words import words

BLEU_TOKENIZERS = {"zh": "zh", **dict.fromkeys(("ja", "th", "lo", "my", "km"), "char")}
BUCKETS = (1, 6, 9, 12, 15, 18, 22)  # fewest source words of each bucket
SMALLEST = 30  # pairs in a bucket, at least
SAMPLES, SEED = 1000, 12345  # of the bootstrap, both as in sacrebleu
TRACES = 32  # traced together


def bleu_tokenizer(language: str) -> str:
    """Return sacrebleu's tokenizer for a target language: characters where words are not divided by blanks."""
    return BLEU_TOKENIZERS.get(language, "13a")


def grade(translations: Sequence[str], references: Sequence[str], language: str) -> dict[str, Any]:
    """Return BLEU (Papineni et al. 2002) and chrF (Popović 2015), with sacrebleu's signatures of how they were
    computed.

    `bleu_lower` is BLEU of lower-cased text, as papers on image captions report it.
    """
    result: dict[str, Any] = {}
    divided = bleu_tokenizer(language)
    metrics = {
        "bleu": sacrebleu.BLEU(tokenize=divided),
        "bleu_lower": sacrebleu.BLEU(lowercase=True, tokenize=divided),
        "chrf": sacrebleu.CHRF(),
    }
    for name, metric in metrics.items():
        score = metric.corpus_score(list(translations), [list(references)]).score
        result[name] = {"score": round(score, 2), "signature": str(metric.get_signature())}
    return result


def by_length(pairs: Sequence[Pair], translations: Sequence[str], languages: tuple[str, str]) -> list[dict[str, Any]]:
    """Return BLEU for the sentences of each bucket, with the interval that holds 95% of its bootstrap samples.

    A length is a number of source words, including punctuation marks. A bucket with too few sentences for an interval
    is joined to the one before it, or the first to the one after. The samples are sacrebleu's, with its own seed.
    """
    lengths = [len(words(pair.source, languages[0])) for pair in pairs]
    rows, targets = [], [pair.target for pair in pairs]
    for chosen in buckets(lengths):
        some, references = ([side[index] for index in chosen] for side in (translations, targets))
        within = sorted(lengths[index] for index in chosen)
        row = {"words": [within[0], within[-1]], "pairs": len(chosen)}
        rows.append(row | _with_interval(some, references, languages[1]))
    return rows


def buckets(lengths: Sequence[int]) -> list[list[int]]:
    """Group the places of the lengths by bucket, short to long."""
    groups: list[list[int]] = []
    for least, above in zip(BUCKETS, (*BUCKETS[1:], math.inf), strict=True):
        chosen = [place for place, length in enumerate(lengths) if least <= length < above]
        if groups and min(len(groups[-1]), len(chosen)) < SMALLEST:
            groups[-1] += chosen
        elif chosen:
            groups.append(chosen)
    return groups


def _with_interval(translations: Sequence[str], references: Sequence[str], language: str) -> dict[str, Any]:
    """Return BLEU, and the mean of its bootstrap samples plus and minus half the width of their middle 95%."""
    metric = sacrebleu.BLEU(tokenize=bleu_tokenizer(language))
    bleu = metric.corpus_score(translations, [references], n_bootstrap=SAMPLES)
    computed = json.loads(bleu.format(width=4, signature=str(metric.get_signature()), is_json=True))
    mean, half = (computed.get(f"confidence_{name}", 0.0) for name in ("mean", "var"))  # omitted if all are 0
    return {"bleu": round(bleu.score, 2), "interval": [round(mean - half, 2), round(mean + half, 2)]}


class Difference(NamedTuple):
    """A score of two systems on the same sentences, the 95% interval of the first minus the second, and the p-value."""

    first: float
    second: float
    interval: tuple[float, float]
    p_value: float


def paired_bootstrap(
    metric: Metric, first: Sequence[str], second: Sequence[str], references: Sequence[str]
) -> Difference:
    """Compare two systems by bootstrap samples that draw the same sentences for both (Koehn 2004).

    The interval holds the middle 95% of the differences. The p-value is sacrebleu's: the share of samples in which the
    size of the difference is farther above its mean than the measured one is from 0. Equal scores have a p-value of 1.
    """
    counts: Any = [
        np.array(metric._extract_corpus_statistics(list(lines), [list(references)]), np.float32)
        for lines in (first, second)
    ]
    one, other = (metric._compute_score_from_stats(each.sum(0)).score for each in counts)
    drawn = np.random.default_rng(SEED).choice(len(references), (SAMPLES, len(references)))
    scores = [[metric._compute_score_from_stats(each[places].sum(0)).score for places in drawn] for each in counts]
    differences = np.subtract(scores[0], scores[1])
    beyond = np.abs(differences) - np.abs(differences).mean() > abs(one - other)
    low, high = map(float, np.percentile(differences, (2.5, 97.5)))
    p_value = 1.0 if one == other else (int(beyond.sum()) + 1) / (SAMPLES + 1)
    return Difference(one, other, (low, high), p_value)


def milliseconds(model: AnyModel, sentences: Sequence[str]) -> float:
    """Return the median CPU time of a trace by greedy decoding, per sentence, after one to warm up.

    Other work of the machine does not count.
    """
    times = []
    for sentence in [*sentences[:1], *sentences]:
        began = time.process_time()
        translate(model, [sentence])
        times.append(1000 * (time.process_time() - began))
    return round(median(times[1:]), 1)


@dataclass(frozen=True)
class Forced:
    """The model's probabilities and weights for one given translation."""

    tokens: int  # of the target, `</s>` included
    log_probability: float
    end: EndMass


def forced(model: AnyModel, pairs: Sequence[Pair]) -> Iterator[Forced]:
    for start in range(0, len(pairs), TRACES):
        for trace in force(model, pairs[start : start + TRACES]):
            weights = trace.alignment.by_words().weights[:-1]  # without the row of the target's own `</s>`
            yield Forced(len(trace.target), trace.log_probability, EndMass.of(weights))


def forced_scores(results: Sequence[Forced]) -> dict[str, Any]:
    """Return perplexity per target token, `</s>` included, and the weight on the source's `</s>`."""
    tokens, total = sum(result.tokens for result in results), math.fsum(result.log_probability for result in results)
    end = sum((result.end for result in results), EndMass())
    return {"perplexity": round(math.exp(-total / tokens), 3), "weight_on_end": end.shares()}
