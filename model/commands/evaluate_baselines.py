"""Hand-made links, and the baselines that learn from the text of a measurement: IBM Model 1 and eflomal."""

import argparse
from collections.abc import Callable
from functools import cache

from regard.model.commands.evaluate_test import some
from regard.model.commands.text_lines import tell
from regard.model.data.corpus import Pair, read_table, read_two, split
from regard.model.input_error import InputError
from regard.model.word_alignment.baselines import Gold, read_gold, with_ibm1
from regard.model.word_alignment.eflomal_aligner import eflomal_version, with_eflomal

QUICK_TRAINING = 100  # baseline training pairs per measured pair, in a quick look


def gold_of(arguments: argparse.Namespace) -> Callable[[tuple[str, str]], Gold]:
    """Return a function that loads stories and baselines for two languages, reading and training only once."""
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
        training = _training(arguments)
        if not gold.stories or not training:
            return gold
        tell(f"IBM Model 1 learns from {len(training):,} pairs")
        gold = with_ibm1(gold, training, languages)
        if not arguments.eflomal:
            return gold
        tell(f"eflomal learns from {len(training):,} pairs")
        return with_eflomal(gold, training, languages)

    return prepare


def check_eflomal(arguments: argparse.Namespace) -> None:
    """Check beforehand that eflomal can be measured."""
    if not arguments.alignments or arguments.only in ("tests", "typed"):
        raise InputError("--eflomal is measured on hand-made links; give --alignments, and not --only tests or typed")
    if not arguments.table and not arguments.training:
        raise InputError("--eflomal learns from text; give --table or --training")
    eflomal_version()


def _training(arguments: argparse.Namespace) -> list[Pair]:
    """Return the training part of the text, as `train` would take it."""
    pairs = read_table(arguments.table) if arguments.table else []
    pairs += [pair for files in arguments.training for pair in read_two(*files)]
    return some(split(pairs).train, arguments.sample and QUICK_TRAINING * arguments.sample)
