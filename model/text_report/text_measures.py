"""Text measures: a text translated and measured, its BLEU and chrF with intervals, the words that are most often
translated badly, two models compared, and the text's files.

BLEU (Papineni et al. 2002) and chrF (Popović 2015) are sacrebleu's; of a single sentence BLEU has its effective order,
so that a sentence without a common 4-gram does not get 0. A reference is compared in the normal form that translations
have: a typographic apostrophe is no error.

An interval is sacrebleu's: the mean of bootstrap samples plus and minus half the width of their middle 95%
(Koehn 2004). Two models are compared by `translation_quality.paired_bootstrap`.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from difflib import SequenceMatcher
from itertools import pairwise
from math import isnan, nan
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import sacrebleu

from regard.model.analysis.attention_statistics import SoftAlignmentScores, soft_alignment_scores
from regard.model.archive import no_formula
from regard.model.checkpoint import AnyModel
from regard.model.data.corpus import Pair
from regard.model.doubt.chance import Doubt, coverage, weakest
from regard.model.evaluation.translation_quality import SAMPLES, Difference, by_length, paired_bootstrap
from regard.model.readable import BYTE_IDS, shorten
from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.text_report.text_input import TextLine
from regard.model.trace import AnyTrace
from regard.model.translate import BATCH, stream
from regard.model.truecasing import read_as
from regard.model.word_alignment.from_attention import aligned
from regard.model.words import normalise

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


def measured(
    model: AnyModel, lines: Sequence[TextLine], doubt: Doubt | None, batch_size: int = BATCH
) -> Iterator[SentenceMeasures]:
    """Translate lines in batches and yield the measures of each, in order; one batch of traces is in memory."""
    language, target = model.tokenizer.languages
    for start in range(0, len(lines), batch_size):
        group = lines[start : start + batch_size]
        sources = [read_as(shorten(model.tokenizer, line.source, 0), language) for line in group]
        traces = stream(model, [source for source in sources if source], batch_size)
        linked = iter(aligned(model, [line.gold for line in group if line.gold], posteriors=False))
        for line, source in zip(group, sources, strict=True):
            error = next(linked).output.agreement.error_rate if line.gold and model.config.attends else None
            if source:
                yield measure(line, next(traces), doubt, error)
            else:
                yield SentenceMeasures(line.number, "", "", normalise(line.reference, target), "end")


def measure(
    line: TextLine, trace: AnyTrace, doubt: Doubt | None = None, error: float | None = None
) -> SentenceMeasures:
    """Return the measures of one trace."""
    source, target = trace.alignment.source, trace.alignment.target
    probabilities, weak = trace.log_probabilities, weakest(trace)
    reference = normalise(line.reference, target.language)
    tokens = [token for token, word in enumerate(target.word_of) if word == weak]
    said = target.words[: target.spoken]
    return SentenceMeasures(
        number=line.number,
        source=source.text,
        translation=trace.text,
        reference=reference,
        stop=trace.stop,
        mean_probability=trace.mean_probability,
        chance=doubt.of(trace) if doubt else None,
        weakest_word=target.words[weak] if weak >= 0 else "",
        weakest_probability=float(np.exp(min(map(float, probabilities[tokens])))) if tokens else None,
        length_ratio=len(said) / max(1, source.spoken),
        repeated=tuple(dict.fromkeys(first for first, second in pairwise(said) if first == second)),
        unknown=_unknown(trace),
        **_attention(trace, doubt),
        **(_against(trace.text, reference) if reference else {}),
        aer=error,
    )


def _attention(trace: AnyTrace, doubt: Doubt | None) -> dict[str, Any]:
    """Return the measures of the weights, none without attention."""
    if trace.maker.score == "none":
        return {}
    source, target = trace.alignment.source, trace.alignment.target
    covered, scores = coverage(trace)[: source.spoken], soft_alignment_scores(trace.weights)
    flags = doubt.flags(trace) if doubt else ()
    return {
        "least_coverage": float(covered.min()) if len(covered) else None,
        "left_out": tuple(source.words[flag.source] for flag in flags if flag.kind == "left out"),
        "said_twice": tuple(target.words[flag.target] for flag in flags if flag.kind == "said twice"),
        "links": trace.alignment.links(),
        "covered": tuple(zip(source.words, map(float, covered), strict=False)),
        **scores._asdict(),
        "confidence": scores.confidence,
    }


def _against(translation: str, reference: str) -> dict[str, Any]:
    """Return BLEU, chrF and the runs of words that differ from the reference."""
    return {
        "bleu": min(100.0, sacrebleu.sentence_bleu(translation, [reference]).score),  # not 100.00000000000004
        "chrf": sacrebleu.sentence_chrf(translation, [reference]).score,
        "differences": differences(translation, reference),
    }


def differences(text: str, other: str) -> tuple[tuple[str, str], ...]:
    """Return the differing runs of words in one text and in the other; `difflib` pairs the equal ones."""
    words, others = text.split(), other.split()
    return tuple(
        (" ".join(words[start:stop]), " ".join(others[first:last]))
        for change, start, stop, first, last in SequenceMatcher(None, words, others, False).get_opcodes()
        if change != "equal"
    )


def _unknown(trace: AnyTrace) -> str:
    """Return the characters of the source that are not in the vocabulary, without repetitions."""
    side = trace.alignment.source
    spans = [span for index, span in zip(trace.source_ids.tolist(), side.characters, strict=True) if index in BYTE_IDS]
    return "".join(dict.fromkeys("".join(side.text[span.start : span.stop] for span in spans)))


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


def least_covered(rows: Sequence[SentenceMeasures]) -> list[tuple[str, int, float, float]]:
    """Return the repeated source words that get the least attention on average: each with its count in the text, and
    its mean and least coverage."""
    coverages: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for word, covered in row.covered:
            if any(map(str.isalnum, word)):
                coverages[word.lower()].append(covered)
    words = [(word, len(of), fmean(of), min(of)) for word, of in coverages.items() if len(of) >= OFTEN]
    return sorted(words, key=lambda each: each[2])[:WORDS]


def weakest_words(rows: Sequence[SentenceMeasures]) -> list[tuple[str, int]]:
    """Return the words that are most often the weakest of their translation, with counts."""
    counts = Counter(row.weakest_word.lower() for row in rows if row.weakest_word)
    return [(word, times) for word, times in counts.most_common(WORDS) if times >= OFTEN]


Pairing = tuple[SentenceMeasures, SentenceMeasures]


def pairings(first: Sequence[SentenceMeasures], second: Sequence[SentenceMeasures]) -> list[Pairing]:
    """Return the sentences that both models translated, in order."""
    others = {row.number: row for row in second}
    return [(row, others[row.number]) for row in first if row.number in others and row.source]


def wins(pairs: Sequence[Pairing]) -> tuple[int, int, int]:
    """Return the counts of sentences in which the first model, the second, or neither has the higher chrF."""
    compared = [(one.chrf, other.chrf) for one, other in pairs if one.chrf is not None and other.chrf is not None]
    first = sum(one > other for one, other in compared)
    second = sum(one < other for one, other in compared)
    return first, second, len(compared) - first - second


def likeness(pair: Pairing) -> float:
    """Return 2 M / N for M words that both translations have in the same order among N words of both (`difflib`)."""
    first, second = (row.translation.split() for row in pair)
    return SequenceMatcher(None, first, second, False).ratio()


def most_different(pairs: Sequence[Pairing], most: int = 10) -> list[Pairing]:
    """Return the sentences whose translations share the fewest words, the least alike first."""
    return [pair for pair in sorted(pairs, key=likeness) if pair[0].translation != pair[1].translation][:most]


def significance(pairs: Sequence[Pairing]) -> dict[str, Difference]:
    """Return BLEU and chrF of both models on the sentences with a reference; nothing without one."""
    some = [pair for pair in pairs if referred([pair[0]])]
    first, second = ([pair[place].translation for pair in some] for place in (0, 1))
    metrics = {"BLEU": sacrebleu.BLEU(), "chrF": sacrebleu.CHRF()} if some else {}
    return {
        name: paired_bootstrap(metric, first, second, [pair[0].reference for pair in some])
        for name, metric in metrics.items()
    }


LEFT_TO_JSON = ("links", "covered", "differences")  # omitted from TSV


def tsv(rows: Sequence[SentenceMeasures]) -> Iterator[str]:
    """Yield a line of names, then a line for each sentence, with single spaces for blanks; unknown values are empty."""
    names = [field.name for field in fields(SentenceMeasures) if field.name not in LEFT_TO_JSON]
    yield "\t".join(names) + "\n"
    for row in rows:
        yield "\t".join(_cell(getattr(row, name)) for name in names) + "\n"


def json_lines(rows: Sequence[SentenceMeasures]) -> Iterator[str]:
    """Yield one object per line and sentence, with all its measures."""
    for row in rows:
        yield json.dumps(asdict(row), ensure_ascii=False) + "\n"


def pharaoh(rows: Sequence[SentenceMeasures]) -> Iterator[str]:
    """Yield the word links of each sentence, source-target from 0, as read off the greatest weights."""
    for row in rows:
        yield " ".join(f"{source}-{target}" for source, target in row.links) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        value = ", ".join(map(str, value))
    return no_formula(" ".join(value.split())) if isinstance(value, str) else "" if value is None else f"{value}"


WRITERS = {"tsv": tsv, "jsonl": json_lines, "pharaoh": pharaoh}  # by the ending of the file's name
