"""Measurement of one model: everything in its `scores.json`, with progress bars.

Each test is translated by each search and graded, and the references are forced. Pairs that are too long for the model
are left out and reported by file and line.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from tqdm import tqdm

from regard.model import translate
from regard.model.analysis.axes_measurement import evenly
from regard.model.analysis.head_ablation import all_heads, write_without
from regard.model.cards.record_files import FORMAT, history, versions
from regard.model.checkpoint import AnyModel
from regard.model.commands.command_line import tell
from regard.model.data.corpus import Pair, read_lines, recorded
from regard.model.decoding.beam import write
from regard.model.decoding.beam_tree import ALPHA, BeamSettings
from regard.model.evaluation.attention_faithfulness import faithfulness, faithfulness_scores
from regard.model.evaluation.scores_record import how_measured
from regard.model.evaluation.translation_quality import (
    SAMPLES,
    SMALLEST,
    by_length,
    forced,
    forced_scores,
    grade,
    milliseconds,
)
from regard.model.input_error import InputError
from regard.model.readable import LINE_TOKENS
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.baselines import Gold, baselines
from regard.model.word_alignment.from_attention import (
    Aligned,
    HeadAgreements,
    aligned,
    head_agreements,
    head_scores,
    summed,
)
from regard.model.word_alignment.posterior import FARTHEST, JUMPS
from regard.model.words import normalise

Item = TypeVar("Item")
AnyPair = TypeVar("AnyPair", Pair, GoldPair)
HELD_OUT = "held_out"
MEASURING = ("sacrebleu", "nltk", "scipy")  # libraries whose versions are recorded with the scores
EXAMPLES = 20  # sentences kept with their translations
QUICK = 200  # held-out pairs that measure a model at the end of its training
HOW_TESTED = how_measured("tests", smallest=SMALLEST, samples=SAMPLES, tokens=LINE_TOKENS)
HOW_QUICK = HOW_TESTED | how_measured("quick", pairs=QUICK)
WORTH, WORTH_EXAMPLES = 200, 5  # sentences whose attention is replaced, and how many of them are kept in full
WIDTHS = (1, 2, 5, 10)  # beam widths that are compared...
WIDTH_PAIRS, WIDTH_EXAMPLES = 500, 5  # ...on this many held-out pairs, of which these are kept in full
TIMED = 50  # timed sentences
ABLATED = 200  # held-out pairs translated without each head
HOW = HOW_TESTED | how_measured(
    "model", alpha=ALPHA, width_pairs=WIDTH_PAIRS, jumps=JUMPS, farthest=FARTHEST, ablated=ABLATED
)


@dataclass(frozen=True)
class TestSet:
    """Pairs to translate, and their files."""

    files: list[Path]
    pairs: list[Pair]


def measure(model: AnyModel, tests: dict[str, TestSet], gold: Gold, width: int, most: int | None) -> dict[str, Any]:
    """Return a model's `scores.json`; `most` limits the pairs of each kind unless None."""
    scores: dict[str, Any] = {"format": FORMAT, "model": model.facts(), "versions": versions(*MEASURING), "how": HOW}
    pairs = {name: short_pairs(model, name, test) for name, test in tests.items()}
    scores["tests"] = {
        name: {**origin(test, pairs[name]), **_test(model, name, some(pairs[name], most), width)}
        for name, test in tests.items()
    }
    if HELD_OUT in tests and model.network.heads():
        scores["without_head"] = _without_heads(model, some(pairs[HELD_OUT], min(ABLATED, most or ABLATED)))
    if HELD_OUT in tests:
        scores["attention"] = _attention(model, _sources(pairs[HELD_OUT]), most)
        scores["speed"] = speed_scores(model, tests[HELD_OUT], most)
    if gold.stories:
        scores["alignments"] = _alignments(model, gold, most)
    return scores


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
    yield from tqdm(results, what, total, mininterval=0.5, disable=None)  # which shows none in a log


def _test(model: AnyModel, name: str, pairs: Sequence[Pair], width: int) -> dict[str, Any]:
    widths = {"greedy": 1, f"beam_{width}": width}
    result, written = translations(model, name, pairs, widths)
    if name == HELD_OUT:
        result["by_width"] = _by_width(model, pairs, {widths[search]: lines for search, lines in written.items()})
        result["examples"] = examples(pairs, written)
    return result


def _by_width(model: AnyModel, pairs: Sequence[Pair], known: dict[int, dict[str, str]]) -> dict[str, Any]:
    """Return translation quality by beam width on some of the pairs; known translations are reused."""
    chosen = some(pairs, WIDTH_PAIRS)
    sources = list(dict.fromkeys(pair.source for pair in chosen))
    searches = {width: known.get(width) or written_by(model, sources, width, f"beam of {width}") for width in WIDTHS}
    rows = []
    for width, lines in searches.items():
        grades = graded(model, chosen, lines)
        rows.append({"width": width, **{metric: grades[metric]["score"] for metric in ("bleu", "chrf")}})
    examples = [
        {"source": source, "written": {str(width): lines[source] for width, lines in searches.items()}}
        for source in some(sources, WIDTH_EXAMPLES)
    ]
    return {"pairs": len(chosen), "sources": len(sources), "widths": rows, "examples": examples}


def _attention(model: AnyModel, sources: Sequence[str], most: int | None) -> dict[str, Any]:
    """Return the faithfulness of attention on some of the sentences."""
    chosen = some(sources, min(WORTH, most or WORTH))
    results = list(bar(faithfulness(model, chosen), "what attention is worth", len(chosen)))
    return {"test": HELD_OUT, **faithfulness_scores(results, WORTH_EXAMPLES)}


def speed_scores(model: AnyModel, test: TestSet, most: int | None) -> dict[str, Any]:
    """Return the model's entry `speed` of `scores.json`; `most` limits the sentences unless None."""
    timed = some(_sources(short_pairs(model, HELD_OUT, test)), min(TIMED, most or TIMED))
    speed: dict[str, Any] = {"milliseconds_a_sentence": milliseconds(model, timed)}
    speed |= {"sentences": len(timed), "threads": torch.get_num_threads()}
    if rows := history(model.folder):
        speed["training_tokens_a_second"] = round(float(rows[-1]["tokens"]) / float(rows[-1]["seconds"]))
    return speed


def _sources(pairs: Sequence[Pair]) -> list[str]:
    """Return the source sentences, each once."""
    return list(dict.fromkeys(pair.source for pair in pairs))


def _without_heads(model: AnyModel, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return BLEU with all heads, and with each switched off."""
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    heads = all_heads(model)
    rows = [
        {"attention": head[0], "layer": head[1], "head": head[2], "bleu": _bleu(model, lines, references)}
        for head in bar(iter(heads), "without each head", len(heads))
        for lines in [write_without(model, sources, head)]
    ]
    own = _bleu(model, translate.write(model, sources), references)
    return {"test": HELD_OUT, "pairs": len(pairs), "bleu": own, "heads": rows}


def _bleu(model: AnyModel, lines: Sequence[str], references: Sequence[str]) -> float:
    return grade([normalise(line) for line in lines], references, model.tokenizer.languages[1])["bleu"]["score"]


def _alignments(model: AnyModel, gold: Gold, most: int | None) -> dict[str, Any]:
    stories: dict[str, Any] = {}
    total, measured = Aligned(), []
    heads: dict[str, HeadAgreements] = {}
    for name, pairs in gold.stories.items():
        counting = [pair for pair in pairs if pair.counts]
        short = readable(model, counting, gold.files[name])
        chosen = some(short, most)
        result = sum(bar(aligned(model, chosen), name, len(chosen)), Aligned())
        if isinstance(model, PretrainedTransformer):
            heads[name] = summed(list(bar(head_agreements(model, chosen), f"{name}, heads", len(chosen))))
        too_long = len(counting) - len(short)
        stories[name] = {**_left_out(pairs, too_long), **result.scores(), **baselines(gold, chosen)}
        total += result
        measured += chosen
    everything = [pair for pairs in gold.stories.values() for pair in pairs]
    too_long = sum(story["too_long"] for story in stories.values())
    overall = {**_left_out(everything, too_long), **total.scores(), **baselines(gold, measured)}
    files = [asdict(recorded(path)) for paths in gold.files.values() for path in paths if path.name.startswith("ali_")]
    by_head = {"heads": head_scores(heads)} if heads else {}
    return {"files": files, **gold.about, "overall": overall, "stories": stories, **by_head}


def _left_out(pairs: Sequence[GoldPair], too_long: int) -> dict[str, int | float]:
    """Return the share of pairs that are not scored, and how many others are too long for the model."""
    share = sum(not pair.counts for pair in pairs) / max(1, len(pairs))
    return {"left_out": round(share, 4), "too_long": too_long}
