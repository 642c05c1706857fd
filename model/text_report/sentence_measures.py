"""Sentence measures: the measures of one translated sentence, by which a text can be plotted and filtered.

BLEU (Papineni et al. 2002) and chrF (Popović 2015) are sacrebleu's of a single sentence; BLEU with its effective order,
so that a sentence without a common 4-gram does not get 0. A reference is compared in the normal form that translations
have: a typographic apostrophe is no error.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import sacrebleu

from regard.model.analysis.attention_statistics import soft_alignment_scores
from regard.model.doubt.chance import Doubt, coverage, weakest
from regard.model.readable import BYTE_IDS
from regard.model.trace import AnyTrace
from regard.model.words import normalise

if TYPE_CHECKING:  # its module needs torch, the value does not
    from regard.model.text_report.text_input import TextLine


@dataclass(frozen=True)
class SentenceMeasures:
    """A translated line. Measures that need attention, a reference, links or a calibration are None without it."""

    number: int
    source: str  # as the model read it
    translation: str
    reference: str
    stop: str
    mean_probability: float | None = None  # None for an empty line
    chance: float | None = None  # that the translation is acceptable
    weakest_word: str = ""
    weakest_probability: float | None = None
    least_coverage: float | None = None
    left_out: tuple[str, ...] = ()
    said_twice: tuple[str, ...] = ()
    length_ratio: float | None = None  # words of the translation per word of the source
    repeated: tuple[str, ...] = ()  # words repeated in a row
    unknown: str = ""  # characters spelled in bytes
    coverage_deviation: float | None = None
    dispersion_out: float | None = None
    dispersion_in: float | None = None
    confidence: float | None = None
    links: tuple[tuple[int, int], ...] = ()  # source and target word, from 0
    covered: tuple[tuple[str, float], ...] = ()  # each source word with its coverage
    bleu: float | None = None
    chrf: float | None = None
    aer: float | None = None
    differences: tuple[tuple[str, str], ...] = ()  # differing runs of words, in the translation and in the reference


class NumberOfSentence(NamedTuple):
    """A number to plot and sort by: its label, its meaning, whether it is written in percent, or else its decimals."""

    label: str
    meaning: str
    share: bool = False
    decimals: int = 2


NUMBERS: dict[str, NumberOfSentence] = {
    "chance": NumberOfSentence(
        "Chance", "chance that the translation is acceptable, as calibrated for this model", True
    ),
    "mean_probability": NumberOfSentence("p per token", "geometric mean of the probabilities of its tokens", True),
    "weakest_probability": NumberOfSentence("Weakest p", "probability of its least likely token", True),
    "least_coverage": NumberOfSentence("Least coverage", "least coverage of a source word"),
    "length_ratio": NumberOfSentence("Length ratio", "words of the translation per word of the source"),
    "confidence": NumberOfSentence(
        "Confidence", "confidence of the weights by Rikters et al. (2017); no measure of quality", True
    ),
    "bleu": NumberOfSentence(
        "BLEU", "BLEU of the sentence against its reference, 0 to 100 (sacrebleu, effective order)", decimals=1
    ),
    "chrf": NumberOfSentence("chrF", "chrF of the sentence against its reference, 0 to 100 (sacrebleu)", decimals=1),
    "aer": NumberOfSentence(
        "AER", "alignment error rate of the forced reference against its links, 0 if they agree", decimals=3
    ),
}
FILTERS: dict[str, Callable[[SentenceMeasures], bool]] = {
    "all": lambda row: True,
    "words left out or said twice": lambda row: bool(row.left_out or row.said_twice),
    "a word twice in a row": lambda row: bool(row.repeated),
    "unknown characters": lambda row: bool(row.unknown),
    "stopped at the limit": lambda row: row.stop == "limit",
    "unlike the reference": lambda row: bool(row.differences),
    "empty": lambda row: not row.source,
}


def known(rows: Sequence[SentenceMeasures]) -> list[str]:
    """Return the names of the numbers that any row has."""
    return [name for name in NUMBERS if any(getattr(row, name) is not None for row in rows)]


def within(row: SentenceMeasures, ranges: Mapping[str, tuple[float, float]]) -> bool:
    """Return True if each of these numbers of the row lies in its range."""
    values = {name: getattr(row, name) for name in ranges}
    return all(value is not None and ranges[name][0] <= value <= ranges[name][1] for name, value in values.items())


def found(row: SentenceMeasures, text: str) -> bool:
    """Return True if the source, the translation or the reference contains the text, ignoring case."""
    return any(text.casefold() in side.casefold() for side in (row.source, row.translation, row.reference))


def measure(
    line: "TextLine", trace: AnyTrace, doubt: Doubt | None = None, error: float | None = None
) -> SentenceMeasures:
    """Return the measures of one trace."""
    source, target = trace.alignment.source, trace.alignment.target
    probabilities, weak = trace.log_probabilities, weakest(trace)
    reference = normalise(line.reference)
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
        **_against(trace.text, reference),
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
    if not reference:
        return {}
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
