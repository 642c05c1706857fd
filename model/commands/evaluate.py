"""`evaluate`: measure models, print the results, and write them as `scores.json` and as a model card.

They are written to `--out`, or beside a model of one's own; the models of the package keep their published results.
"""

import argparse
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from regard.model.cards.card import summary, write_card
from regard.model.cards.record_files import SCORES_FILE, read_scores, write_record
from regard.model.checkpoint import named_folder
from regard.model.commands.command_line import packaged, put, results_folder, tell
from regard.model.commands.evaluate_model import HELD_OUT, TestSet, measure, some, speed_scores
from regard.model.data.corpus import Pair, read_table, read_two, split
from regard.model.decoding.beam_tree import WIDEST
from regard.model.input_error import InputError, in_one_line
from regard.model.synthetic.exact_match import measure_again, practised
from regard.model.transformer.checkpoint import load_any
from regard.model.word_alignment.baselines import Gold, read_gold, with_ibm1

TESTS, ALIGNMENTS, SPEED = "tests", "alignments", "speed"
PARTS = TESTS, ALIGNMENTS, SPEED
QUICK_TRAINING = 100  # baseline training pairs per measured pair, in a quick look
GoldOf = Callable[[tuple[str, str]], Gold]


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
    _check(arguments)
    tasks = [folder for folder in arguments.model if practised(folder)]
    if tasks and arguments.sample is not None:
        raise InputError(f"{tasks[0].name} learned numbers and is always measured whole; leave out --sample")
    for folder in tasks:
        place = _place(folder, arguments)
        report(folder, measure_again(folder), place)
    if others := [folder for folder in arguments.model if folder not in tasks]:
        _translators(others, arguments)


def _check(arguments: argparse.Namespace) -> None:
    """Check the options. Raises InputError."""
    if not 2 <= arguments.beam <= WIDEST:
        raise InputError(
            f"--beam is {arguments.beam}; it must be from 2 to {WIDEST}, greedy decoding is always measured"
        )
    if arguments.sample is not None and arguments.sample < 1:
        raise InputError(f"--sample is {arguments.sample}; it must be at least 1")
    if arguments.only == SPEED and not arguments.table:
        raise InputError("the speed is that of translating the held-out test; give --table")


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
    """Print the main results, and write all results to the place if there is one."""
    put(summary(folder.resolve().name, scores) + "\n")
    if place:
        earlier = read_scores(place) if (place / SCORES_FILE).exists() else {}
        write_record(_with_earlier(scores, earlier), place / SCORES_FILE)
        write_card(folder, place)
        tell(f"{place / SCORES_FILE} and the model card are written")


def _with_earlier(scores: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    """Merge the new scores with earlier ones of the same weights; those of a task are always measured whole."""
    if "task" in scores or earlier.get("model", {}).get("fingerprint") != scores["model"]["fingerprint"]:
        return scores
    how = {**earlier.get("how", {}), **scores["how"]}
    return {**earlier, **scores, "how": how, "tests": {**earlier["tests"], **scores["tests"]}}


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
