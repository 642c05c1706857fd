"""How good is a model?  Translations against references, attention against links that people made.

Nothing here prints or writes: long work comes as generators, and results are plain values for `scores.json`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sacrebleu
from jaxtyping import Float
from numpy import ndarray

from model.checkpoint import Pretrained
from model.corpus import Pair
from model.joining import between, join, links
from model.links import NO_LINKS, Agreement, GoldPair, agreement, diagonal
from model.trace import Trace
from model.translate import force
from model.words import words

BUCKETS = (1, 6, 11, 16, 21, 31)  # the fewest source words of each bucket
TRACES = 32  # made together


def grade(translations: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """BLEU (Papineni et al. 2002) and chrF (Popović 2015), with the signatures that say how sacrebleu computed them."""
    result: dict[str, Any] = {}
    for name, metric in (("bleu", sacrebleu.BLEU()), ("chrf", sacrebleu.CHRF())):
        score = metric.corpus_score(list(translations), [list(references)]).score
        result[name] = {"score": round(score, 2), "signature": str(metric.get_signature())}
    return result


def by_length(pairs: Sequence[Pair], translations: Sequence[str], language: str) -> list[dict[str, Any]]:
    """BLEU of the sentences of each bucket; a length is a number of source words, punctuation marks among them."""
    lengths = [len(words(pair.source, language)) for pair in pairs]
    rows = []
    for least, above in zip(BUCKETS, (*BUCKETS[1:], math.inf), strict=True):
        chosen = [index for index, length in enumerate(lengths) if least <= length < above]
        if chosen:
            references = [[pairs[index].target for index in chosen]]
            bleu = sacrebleu.corpus_bleu([translations[index] for index in chosen], references).score
            most = max(lengths[index] for index in chosen)
            rows.append({"words": [least, most], "pairs": len(chosen), "bleu": round(bleu, 2)})
    return rows


@dataclass(frozen=True)
class EndMass:
    """How much weight target words put on the source's `</s>`: sums over words; those of several add up."""

    first: float = 0.0
    sentences: int = 0
    every: float = 0.0
    words: int = 0

    @staticmethod
    def of(weights: Float[ndarray, "R C"]) -> "EndMass":
        """From the weights of the words of one sentence, the last column being that of `</s>`."""
        column = weights[:, -1].astype(np.float64)
        return EndMass(float(column[:1].sum()), len(column[:1]), float(column.sum()), len(column))

    def __add__(self, other: "EndMass") -> "EndMass":
        return EndMass(
            self.first + other.first,
            self.sentences + other.sentences,
            self.every + other.every,
            self.words + other.words,
        )

    def shares(self) -> dict[str, float]:
        """Means over first words and over all words."""
        first, every = self.first / max(1, self.sentences), self.every / max(1, self.words)
        return {"first_word": round(first, 4), "all_words": round(every, 4)}


NO_WORDS = EndMass()


@dataclass(frozen=True)
class Forced:
    """What the model makes of one given translation."""

    tokens: int  # of the target, `</s>` included
    log_probability: float
    end: EndMass


def forced(model: Pretrained, pairs: Sequence[Pair]) -> Iterator[Forced]:
    for trace in _traces(model, pairs):
        weights = trace.alignment.by_words().weights[:-1]  # the row of the target's own `</s>` left out
        yield Forced(len(trace.target), trace.log_probability, EndMass.of(weights))


def forced_scores(results: Sequence[Forced]) -> dict[str, Any]:
    """Perplexity per target token, `</s>` included, and the weight on the source's `</s>`."""
    tokens, total = sum(result.tokens for result in results), math.fsum(result.log_probability for result in results)
    end = sum((result.end for result in results), NO_WORDS)
    return {"perplexity": round(math.exp(-total / tokens), 3), "weight_on_end": end.shares()}


@dataclass(frozen=True)
class Aligned:
    """Agreement with the gold links of one pair, or of several: those of two can be added."""

    output: Agreement = NO_LINKS
    input: Agreement = NO_LINKS
    diagonal: Agreement = NO_LINKS
    end: EndMass = NO_WORDS
    pairs: int = 0

    def __add__(self, other: "Aligned") -> "Aligned":
        return Aligned(
            self.output + other.output,
            self.input + other.input,
            self.diagonal + other.diagonal,
            self.end + other.end,
            self.pairs + other.pairs,
        )

    def scores(self) -> dict[str, Any]:
        each = {"output": self.output, "input": self.input, "diagonal": self.diagonal}
        return {
            "pairs": self.pairs,
            **{name: _rates(agreement) for name, agreement in each.items()},
            "weight_on_end": self.end.shares(),
        }


def aligned(model: Pretrained, gold: Sequence[GoldPair]) -> Iterator[Aligned]:
    """Forced decoding of each pair; its words are written together as text first, links are between them as given."""
    languages = model.tokenizer.languages
    joined = [(join(pair.source, languages[0]), join(pair.target, languages[1])) for pair in gold]
    traces = _traces(model, [Pair(source.text, target.text) for source, target in joined])
    for pair, (source, target), trace in zip(gold, joined, traces, strict=True):
        produced, fed = (between(trace.alignment, source, target, rows) for rows in ("output", "input"))
        proposed = links(produced), links(fed), diagonal(len(source.words), len(target.words))
        by_output, by_input, by_diagonal = (agreement(each, pair.sure, pair.possible) for each in proposed)
        yield Aligned(by_output, by_input, by_diagonal, EndMass.of(produced), pairs=1)


def _rates(counts: Agreement) -> dict[str, float]:
    rates = {"aer": counts.error_rate, "precision": counts.precision, "recall": counts.recall}
    return {name: round(rate, 4) for name, rate in rates.items()}


def _traces(model: Pretrained, pairs: Sequence[Pair]) -> Iterator[Trace]:
    for start in range(0, len(pairs), TRACES):
        yield from force(model, pairs[start : start + TRACES])
