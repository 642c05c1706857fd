"""Sentence measures: the measures of one translated sentence, by which a text can be plotted and filtered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


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
