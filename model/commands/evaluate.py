"""`evaluate`: measure models, print the results, and write them as `scores.json` and as a model card.

They are written to `--out`, or beside a model of one's own; the models of the package keep their published results.
Each test is translated by each search and graded, and the references are forced. Pairs that are too long for the model
are left out and reported by file and line.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import torch
from tqdm import tqdm

from regard.model import translate
from regard.model.analysis.axes_measurement import evenly
from regard.model.analysis.head_ablation import all_heads, write_without
from regard.model.cards.card import summary, write_card
from regard.model.cards.record_files import FORMAT, SCORES_FILE, history, read_scores, versions, write_record
from regard.model.checkpoint import AnyModel, named_folder
from regard.model.commands.command_line import packaged, put, results_folder, tell
from regard.model.data.corpus import Pair, read_lines, read_table, read_two, recorded, split
from regard.model.decoding.beam import write
from regard.model.decoding.beam_tree import ALPHA, WIDEST, BeamSettings
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
from regard.model.input_error import InputError, in_one_line
from regard.model.readable import LINE_TOKENS
from regard.model.synthetic.exact_match import measure_again, practised
from regard.model.transformer.checkpoint import PretrainedTransformer, load_any
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.baselines import Gold, baselines, read_gold, with_ibm1
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
TESTS, ALIGNMENTS, SPEED = "tests", "alignments", "speed"
PARTS = TESTS, ALIGNMENTS, SPEED
QUICK_TRAINING = 100  # baseline training pairs per measured pair, in a quick look
GoldOf = Callable[[tuple[str, str]], Gold]


@dataclass(frozen=True)
class TestSet:
    """Pairs to translate, and their files."""

    files: list[Path]
    pairs: list[Pair]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = "folder for scores.json and the card, or for a folder of each of several models (default: a model's own)"
    parser.add_argument("--out", type=Path, metavar="DIR", help=about)
    about = "measure one part; speed, the milliseconds a translation takes, needs an idle machine"
    parser.add_argument("--only", choices=PARTS, help=about)
    about = "a quick look: at most N pairs of each; prints the scores and writes nothing"
    parser.add_argument("--sample", type=int, metavar="N", help=about)
    add_text(parser)
    parser.epilog = (
        "Prints the main results, and writes all of them to scores.json and to the model card README.md; those of a "
        "model that comes with Regard only with --out. Earlier results of the same weights there are kept unless they "
        "are measured again. An unreadable model or story is named, the others are still measured, and the exit status "
        "is 1. A model for a task on numbers needs no text: it is measured on sequences that it has not seen."
    )


def add_text(parser: argparse.ArgumentParser) -> None:
    """Add the options that name models and the text to measure them on."""
    parser.add_argument(
        "--model", type=named_folder, nargs="+", action="extend", required=True, metavar="DIR", help="folder or name"
    )
    parser.add_argument("--beam", type=int, default=5, metavar="N", help="width of the beam search (%(default)s)")
    about = "source TAB target lines; the held-out part is translated, baselines learn from the training part"
    parser.add_argument("--table", type=Path, metavar="FILE", help=about)
    files: dict[str, Any] = {"action": "append", "default": []}
    about = "two files aligned by line"
    parser.add_argument("--test", nargs=3, metavar=("NAME", "SOURCE", "TARGET"), help=about, **files)
    about = "source TAB target lines, all used as a test"
    parser.add_argument("--test-table", nargs=2, metavar=("NAME", "FILE"), help=about, **files)
    about = "folder with a folder of hand-made links for each story"
    parser.add_argument("--alignments", type=Path, metavar="DIR", help=about)
    about = "more text that the models were trained on, for the baseline IBM Model 1"
    parser.add_argument("--training", nargs=2, type=Path, metavar=("SOURCE", "TARGET"), help=about, **files)


def run(arguments: argparse.Namespace) -> None:
    if not 2 <= arguments.beam <= WIDEST:
        raise InputError(
            f"--beam is {arguments.beam}; it must be from 2 to {WIDEST}, greedy decoding is always measured"
        )
    if arguments.sample is not None and arguments.sample < 1:
        raise InputError(f"--sample is {arguments.sample}; it must be at least 1")
    if arguments.only == SPEED and not arguments.table:
        raise InputError("the speed is that of translating the held-out test; give --table")
    tasks = [folder for folder in arguments.model if practised(folder)]
    if tasks and arguments.sample is not None:
        raise InputError(f"{tasks[0].name} learned numbers and is always measured whole; leave out --sample")
    for folder in tasks:
        report(folder, measure_again(folder), _place(folder, arguments))
    if others := [folder for folder in arguments.model if folder not in tasks]:
        _translators(others, arguments)


def _translators(folders: list[Path], arguments: argparse.Namespace) -> None:
    """Measure the models that translate."""
    tests = read_tests(arguments) if arguments.only in (None, TESTS) else {}
    gold = gold_of(arguments) if arguments.only in (None, ALIGNMENTS) else (lambda languages: Gold())
    if arguments.only != SPEED and not tests and (arguments.only == TESTS or not arguments.alignments):
        wanted = "--alignments" if arguments.only == ALIGNMENTS else "--table, --test, --test-table or --alignments"
        raise InputError(f"nothing to measure; give {wanted}")
    broken: set[str] = set()
    for folder in folders:
        try:
            broken |= {*_evaluate(folder, tests, gold, arguments)}
        except (InputError, OSError) as error:
            tell(f"{folder} is not measured: {in_one_line(error)}")
            broken.add(str(folder))
    if broken:
        raise InputError(f"models and stories that could not be measured, for the reasons above: {len(broken)}")


def _evaluate(folder: Path, tests: dict[str, TestSet], gold: GoldOf, arguments: argparse.Namespace) -> tuple[str, ...]:
    """Measure one model, write or print its scores, and return the stories that could not be read."""
    model = load_any(folder)
    place = None if arguments.sample else _place(folder, arguments)
    links = gold(model.tokenizer.languages)
    scores = measure(model, tests, links, arguments.beam, arguments.sample)
    if arguments.only == SPEED:
        scores[SPEED] = speed_scores(model, held_out(arguments.table), arguments.sample)
    if arguments.sample:
        put(json.dumps(scores, indent=2, ensure_ascii=False))
    else:
        report(folder, scores, place)
    return links.broken


def _place(folder: Path, arguments: argparse.Namespace) -> Path | None:
    """Return the folder for a model's results; None for a model of the package without `--out`."""
    out = arguments.out / folder.resolve().name if arguments.out and arguments.model[1:] else arguments.out
    return None if packaged(folder) and not out else results_folder(folder, out)


def report(folder: Path, scores: dict[str, Any], place: Path | None) -> None:
    """Print the main results, and write all results to the place if there is one. Earlier ones of the same weights are
    kept there; those of a task are always measured whole."""
    put(summary(folder.resolve().name, scores) + "\n")
    if place:
        earlier = read_scores(place) if (place / SCORES_FILE).exists() else {}
        if "task" not in scores and earlier.get("model", {}).get("fingerprint") == scores["model"]["fingerprint"]:
            how = {**earlier.get("how", {}), **scores["how"]}
            scores = {**earlier, **scores, "how": how, "tests": {**earlier["tests"], **scores["tests"]}}
        write_record(scores, place / SCORES_FILE)
        write_card(folder, place)
        tell(f"{place / SCORES_FILE} and the model card are written")


def read_tests(arguments: argparse.Namespace) -> dict[str, TestSet]:
    """Return the files and the pairs of each test by its name."""
    tests: dict[str, TestSet] = {}
    if arguments.table:
        tests[HELD_OUT] = held_out(arguments.table)
    given = [(name, [Path(source), Path(target)]) for name, source, target in arguments.test]
    for name, files in [*given, *((name, [Path(file)]) for name, file in arguments.test_table)]:
        if name in tests:
            raise InputError(f"two tests are called {name}")
        tests[name] = TestSet(files, read_two(files[0], files[1]) if files[1:] else read_table(files[0]))
    empty = [name for name, test in tests.items() if not test.pairs]
    if empty:
        raise InputError(f"the test {empty[0]} has no pairs")
    return tests


@cache
def held_out(table: Path) -> TestSet:
    """Return the held-out part of a table."""
    return TestSet([table], split(read_table(table)).test)


def gold_of(arguments: argparse.Namespace) -> GoldOf:
    """Return a function that loads stories, and IBM Model 1 as their baseline, for two languages, reading and training
    only once."""
    if not arguments.alignments:
        return lambda languages: Gold()
    folders = sorted(path for path in arguments.alignments.iterdir() if path.is_dir())
    if not folders:
        raise InputError(f"{arguments.alignments}: it has no folder of a story")

    @cache
    def prepare(languages: tuple[str, str]) -> Gold:
        gold = read_gold(folders, languages)
        for message in gold.broken:
            tell(message)
        training = training_pairs(arguments)
        if not gold.stories or not training:
            return gold
        tell(f"IBM Model 1 learns from {len(training):,} pairs")
        return with_ibm1(gold, training, languages)

    return prepare


def training_pairs(arguments: argparse.Namespace) -> list[Pair]:
    """Return the training part of the text, as `train` would take it."""
    pairs = read_table(arguments.table) if arguments.table else []
    pairs += [pair for files in arguments.training for pair in read_two(*files)]
    return some(split(pairs).train, arguments.sample and QUICK_TRAINING * arguments.sample)


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
        sources = some(_sources(pairs[HELD_OUT]), min(WORTH, most or WORTH))
        results = list(bar(faithfulness(model, sources), "what attention is worth", len(sources)))
        scores["attention"] = {"test": HELD_OUT, **faithfulness_scores(results, WORTH_EXAMPLES)}
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
            place = next(
                f"{path}, line {number}"
                for path in files
                for number, line in enumerate(read_lines(path), start=1)
                if normalise(longest) in normalise(line)
            )
            message = f"{lengths[longest]} tokens are too many for {model.name}, which is given at most {LINE_TOKENS}"
            tell(f"{place}: {message}; the pair is left out")
    return kept


def origin(test: TestSet, pairs: Sequence[Pair]) -> dict[str, Any]:
    return {"files": [asdict(recorded(path)) for path in test.files], "too_long": len(test.pairs) - len(pairs)}


def translations(
    model: AnyModel, name: str, pairs: Sequence[Pair], widths: dict[str, int]
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return the quality of each search's translations, and the translations by search and source sentence."""
    given = list(bar(forced(model, pairs), f"{name}, references", len(pairs)))
    distinct = _sources(pairs)
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
    sources = _sources(chosen)
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
