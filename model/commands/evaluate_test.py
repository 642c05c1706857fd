"""Measurement of one model on one test: its translations by each search, graded, and the forced references.

Pairs that are too long for the model are left out and reported by file and line.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from regard.model.analysis.axes_measurement import evenly
from regard.model.cards.record_files import FORMAT, versions
from regard.model.checkpoint import AnyModel
from regard.model.commands.how_measured import how_measured
from regard.model.commands.text_lines import tell
from regard.model.data.corpus import Pair, read_lines, recorded
from regard.model.decoding.beam import write
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.evaluation.translation_quality import SAMPLES, SMALLEST, by_length, forced, forced_scores, grade
from regard.model.input_error import InputError
from regard.model.readable import LINE_TOKENS
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.words import normalise

Item = TypeVar("Item")
AnyPair = TypeVar("AnyPair", Pair, GoldPair)
HELD_OUT = "held_out"
MEASURING = ("sacrebleu", "nltk", "scipy")  # libraries whose versions are recorded with the scores
EXAMPLES = 20  # sentences kept with their translations
QUICK = 200  # held-out pairs that measure a model at the end of its training
HOW_TESTED = how_measured("tests", smallest=SMALLEST, samples=SAMPLES, tokens=LINE_TOKENS)
HOW_QUICK = HOW_TESTED | how_measured("quick", pairs=QUICK)


@dataclass(frozen=True)
class TestSet:
    """Pairs to translate, and their files."""

    files: list[Path]
    pairs: list[Pair]


def measure_quickly(model: AnyModel, test: TestSet) -> dict[str, Any]:
    """Return `scores.json` of a freshly trained model, from some held-out pairs, in about a minute."""
    pairs = short_pairs(model, HELD_OUT, test)
    chosen = some(pairs, QUICK)
    measured, written = translations(model, HELD_OUT, chosen, {"greedy": 1})
    scores = {**origin(test, pairs), **measured, "examples": examples(chosen, written)}
    return {
        "format": FORMAT,
        "model": model.facts(),
        "versions": versions(*MEASURING),
        "how": HOW_QUICK,
        "tests": {HELD_OUT: scores},
    }


def some(items: Sequence[Item], most: int | None) -> list[Item]:
    """Return all items, or `most` of them, evenly spaced."""
    return evenly(items, most or len(items))


def short_pairs(model: AnyModel, name: str, test: TestSet) -> list[Pair]:
    """Return the pairs of a test that are short enough. Raises InputError if there are none."""
    if not test.pairs:
        raise InputError(f"the test {name} has no pairs; {', '.join(map(str, test.files))} may be too short for one")
    short = readable(model, test.pairs, test.files)
    if not short:
        raise InputError(f"every pair of the test {name} is too long for it")
    return short


def readable(model: AnyModel, pairs: Sequence[AnyPair], files: Sequence[Path]) -> list[AnyPair]:
    """Return the short pairs. Reports file and line of every other; `files` are those the pairs were read from."""
    kept = []
    for pair in pairs:
        sides = zip((pair.source, pair.target), model.tokenizer.languages, strict=True)
        lengths = {text: len(model.tokenizer.encode(text, language).ids) for text, language in sides}
        longest = max(lengths, key=lengths.__getitem__)
        if lengths[longest] <= LINE_TOKENS:
            kept.append(pair)
        else:
            message = f"{lengths[longest]} tokens are too many for {model.name}, which is given at most {LINE_TOKENS}"
            tell(f"{_place(longest, files)}: {message}; the pair is left out")
    return kept


def _place(text: str, files: Sequence[Path]) -> str:
    """Return the file and line that a text is from."""
    for path in files:
        for number, line in enumerate(read_lines(path), start=1):
            if normalise(text) in normalise(line):
                return f"{path}, line {number}"
    raise InputError(f"{text!r} stands in none of {', '.join(map(str, files))}")


def origin(test: TestSet, pairs: Sequence[Pair]) -> dict[str, Any]:
    return {"files": [asdict(recorded(path)) for path in test.files], "too_long": len(test.pairs) - len(pairs)}


def translations(
    model: AnyModel, name: str, pairs: Sequence[Pair], widths: dict[str, int]
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return the quality of each search's translations, and the translations by search and source sentence."""
    given = list(bar(forced(model, pairs), f"{name}, references", len(pairs)))
    distinct = list(dict.fromkeys(pair.source for pair in pairs))
    searches, written = {}, {}
    for search, width in widths.items():
        began = time.perf_counter()
        written[search] = written_by(model, distinct, width, f"{name}, {search}")
        seconds = round(time.perf_counter() - began, 1)
        lengths = by_length(pairs, [written[search][pair.source] for pair in pairs], model.tokenizer.languages)
        searches[search] = {**graded(model, pairs, written[search]), "by_length": lengths, "seconds": seconds}
    return {"pairs": len(pairs), "sources": len(distinct), **forced_scores(given), "searches": searches}, written


def graded(model: AnyModel, pairs: Sequence[Pair], lines: Mapping[str, str]) -> dict[str, Any]:
    """Grade translations, by source sentence, against the targets of the pairs."""
    translations, references = [lines[pair.source] for pair in pairs], [pair.target for pair in pairs]
    return grade(translations, references, model.tokenizer.languages[1])


def examples(pairs: Sequence[Pair], written: dict[str, dict[str, str]]) -> list[dict[str, str]]:
    return [
        {**pair._asdict(), **{search: lines[pair.source] for search, lines in written.items()}}
        for pair in some(pairs, EXAMPLES)
    ]


def written_by(model: AnyModel, sources: Sequence[str], width: int, what: str) -> dict[str, str]:
    """Translate each sentence with a beam of this width."""
    return dict(zip(sources, bar(write(model, sources, BeamSettings(width)), what, len(sources)), strict=True))


def bar(results: Iterator[Item], what: str, total: int) -> Iterator[Item]:
    yield from tqdm(results, what, total, mininterval=0.5)
