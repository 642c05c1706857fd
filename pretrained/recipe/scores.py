"""Scores of the shipped models: what `regard evaluate` measures, and what only they are measured on.

These are the lists of sentences and made numbers, the chance that a translation is acceptable (`doubt.json`), the page
that `regard export` writes, with its weights as they are and rounded to 8 bits, the word aligner eflomal, and the
difference in BLEU from other models, by paired bootstrap.
"""

import argparse
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import sacrebleu

from regard.app.export.translator.document import weights
from regard.model.checkpoint import AnyModel, named_folder
from regard.model.commands import evaluate
from regard.model.commands.command_line import tell
from regard.model.commands.evaluate import (
    HELD_OUT,
    TestSet,
    bar,
    graded,
    measure,
    origin,
    short_pairs,
    some,
    speed_scores,
    written_by,
)
from regard.model.data.corpus import Pair
from regard.model.evaluation.translation_quality import bleu_tokenizer, buckets, paired_bootstrap
from regard.model.files import toml_beside
from regard.model.input_error import InputError
from regard.model.synthetic.exact_match import measure_again, practised
from regard.model.transformer.checkpoint import load_any
from regard.model.word_alignment.baselines import Gold
from regard.model.words import words
from regard.pretrained.recipe.doubt import HOW_DOUBT, calibrate
from regard.pretrained.recipe.eflomal_aligner import eflomal_version, with_eflomal
from regard.pretrained.recipe.lists import HOW_LISTS, TYPED_LANGUAGES, lists
from regard.pretrained.recipe.node_engine import translated

TYPED, PAGE, DOUBT, AGAINST = "typed", "page", "doubt", "against"
_OWN = toml_beside(__file__, "how_measured.toml")
HOW = HOW_LISTS | _OWN[PAGE] | _OWN[AGAINST] | HOW_DOUBT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    evaluate.add_text(parser)
    parser.add_argument("--eflomal", action="store_true", help="also measure the word aligner eflomal on the stories")
    parser.add_argument("--page", action="store_true", help="also measure the exported page; needs Node")
    parser.add_argument("--calibrate", action="store_true", help="also fit and measure doubt")
    parser.add_argument(
        "--against", type=named_folder, nargs="+", default=[], metavar="DIR", help="also compare BLEU with these models"
    )
    parser.add_argument("--only", choices=(*evaluate.PARTS, TYPED, PAGE, DOUBT, AGAINST), help="measure one part")
    parser.add_argument("--sample", type=int, metavar="N", help="a quick look: at most N pairs of each; writes nothing")


def run(arguments: argparse.Namespace) -> None:
    """Measure models, and write `scores.json` and the model card into their folders."""
    _check(arguments)
    parts = {part for part in evaluate.PARTS if arguments.only in (None, part)}
    tests = evaluate.read_tests(arguments) if evaluate.TESTS in parts else {}
    gold = _gold_of(arguments) if evaluate.ALIGNMENTS in parts else (lambda languages: Gold())
    for folder in arguments.model:
        if practised(folder):
            evaluate.report(folder, measure_again(folder), folder)
            continue
        model = load_any(folder)
        scores = measure(model, tests, gold(model.tokenizer.languages), arguments.beam, arguments.sample)
        scores |= _own_parts(model, arguments)
        scores["how"] = {**scores["how"], **HOW}
        evaluate.report(folder, scores, None if arguments.sample else folder)


def _check(arguments: argparse.Namespace) -> None:
    """Check the options, and turn on what `--only` asks for. Raises InputError."""
    if arguments.eflomal:
        if not arguments.alignments or arguments.only not in (None, evaluate.ALIGNMENTS):
            raise InputError("--eflomal is measured on hand-made links; give --alignments, and not --only another part")
        if not arguments.table and not arguments.training:
            raise InputError("--eflomal learns from text; give --table or --training")
        eflomal_version()
    arguments.page |= arguments.only == PAGE
    arguments.calibrate |= arguments.only == DOUBT
    if (arguments.page or arguments.calibrate or arguments.only == evaluate.SPEED) and not arguments.table:
        raise InputError("page, doubt and speed are measured on the held-out test; give --table")


def _gold_of(arguments: argparse.Namespace) -> evaluate.GoldOf:
    """Return a function that loads stories and their baselines for two languages, only once."""
    base = evaluate.gold_of(arguments)
    if not arguments.eflomal:
        return base

    @cache
    def prepare(languages: tuple[str, str]) -> Gold:
        gold, training = base(languages), evaluate.training_pairs(arguments)
        tell(f"eflomal learns from {len(training):,} pairs")
        return with_eflomal(gold, training, languages) if gold.stories else gold

    return prepare


def _own_parts(model: AnyModel, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the requested entries of `scores.json` that `regard evaluate` does not measure."""
    scores: dict[str, Any] = {}
    held_out = partial(evaluate.held_out, arguments.table)
    if arguments.only in (None, evaluate.TESTS, TYPED) and model.tokenizer.languages == TYPED_LANGUAGES:
        scores |= lists(model, arguments.sample)
    if arguments.page:
        scores[PAGE] = page_scores(model, held_out(), arguments.sample)
    if arguments.calibrate:
        place = None if arguments.sample else model.folder
        scores[DOUBT] = calibrate(model, arguments.table, arguments.sample, place)
    if arguments.only == evaluate.SPEED:
        scores[evaluate.SPEED] = speed_scores(model, held_out(), arguments.sample)
    if arguments.against and arguments.only in (None, evaluate.TESTS, AGAINST):
        tests = evaluate.read_tests(arguments)
        scores[AGAINST] = against(model, [load_any(folder) for folder in arguments.against], tests, arguments.sample)
    return scores


def against(model: AnyModel, others: Sequence[AnyModel], tests: dict[str, TestSet], most: int | None) -> dict[str, Any]:
    """Return how the model differs from each other in BLEU on every test, and on its longest sentences."""
    found: dict[str, Any] = {other.name: {"fingerprint": other.fingerprint, "tests": {}} for other in others}
    for name, test in tests.items():
        pairs = some(short_pairs(model, name, test), most)
        sources = list(dict.fromkeys(pair.source for pair in pairs))
        own, *written = (written_by(each, sources, 1, f"{name}, {each.name}") for each in (model, *others))
        lengths = [len(words(pair.source, model.tokenizer.languages[0])) for pair in pairs]
        last = buckets(lengths)[-1]
        long, within = [pairs[place] for place in last], [lengths[place] for place in last]
        for other, lines in zip(others, written, strict=True):
            whole = difference(pairs, own, lines, model.tokenizer.languages[1])
            longest = difference(long, own, lines, model.tokenizer.languages[1])
            found[other.name]["tests"][name] = whole | {"longest": {"words": (min(within), max(within)), **longest}}
    return found


def difference(pairs: Sequence[Pair], own: dict[str, str], other: dict[str, str], language: str) -> dict[str, Any]:
    """Return the BLEU of two translations by source sentence, and the interval of the first minus the second."""
    one, two = ([lines[pair.source] for pair in pairs] for lines in (own, other))
    bleu = sacrebleu.BLEU(tokenize=bleu_tokenizer(language))
    found = paired_bootstrap(bleu, one, two, [pair.target for pair in pairs])
    return {
        "pairs": len(pairs),
        "bleu": [round(found.first, 2), round(found.second, 2)],
        "difference": round(found.first - found.second, 2),
        "interval": [round(end, 2) for end in found.interval],
    }


def page_scores(model: AnyModel, test: TestSet, most: int | None) -> dict[str, Any]:
    """Return the page's entry of `scores.json`; `most` limits the pairs unless None."""
    short = short_pairs(model, HELD_OUT, test)
    pairs = some(short, most)
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    found = {}
    for name, rounded in (("shipped", False), ("rounded", True)):
        lines = bar(translated(model, weights(model, rounded), sources), f"page, {name}", len(sources))
        found[name] = graded(model, pairs, dict(zip(sources, lines, strict=True)))
    return {"test": HELD_OUT, **origin(test, short), "pairs": len(pairs), "sources": len(sources), **found}
