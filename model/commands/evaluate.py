"""Measure a model and write what was found to its folder: `scores.json`, and the model card."""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, TypeVar

from tqdm import tqdm

from model.beam import ALPHA, write
from model.card import FORMAT, SCORES, read_scores, write_card
from model.checkpoint import WEIGHTS, Pretrained, load
from model.commands.lines import put, tell
from model.corpus import Pair, read_table, read_two, split
from model.evaluation import Aligned, aligned, by_length, forced, forced_scores, grade
from model.links import GoldPair, read_story
from model.sources import recorded

Item = TypeVar("Item")
HELD_OUT = "held_out"
EXAMPLES = 20  # held-out sentences kept with their translations
HOW = {
    "text": "BLEU and chrF compare a translation with one reference; both are in the normal form of model.words: NFC, "
    "plain blanks and straight apostrophes",
    "lengths": "source words, punctuation marks among them",
    "held_out": "the pairs of the table whose source sentence no pair of the training part has",
    "beam": f"length normalisation of Wu et al. (2016), equation 14, alpha {ALPHA}",
    "weight_on_end": "mean attention of target words on the source's </s>, the reference being forced; first_word: of "
    "the first word of each target alone",
    "aer": "Och and Ney (2003); pairs with a sure link and at most 50 words a side; output: a row of weights belongs "
    "to the word produced, input: to the word fed in",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, required=True, metavar="DIR", help="model folder")
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="source TAB target lines; only its held-out test part is used"
    )
    parser.add_argument(
        "--test",
        nargs=3,
        action="append",
        default=[],
        metavar=("NAME", "SOURCE", "TARGET"),
        help="two files aligned by line",
    )
    parser.add_argument(
        "--alignments", type=Path, metavar="DIR", help="folder with one folder of hand-made links for each story"
    )
    parser.add_argument(
        "--beam", type=int, default=5, metavar="N", help="also measure beam search of this width (%(default)s)"
    )
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help="a quick look: at most N pairs of each; prints the scores and writes nothing",
    )
    parser.epilog = (
        "Writes scores.json and the model card README.md into the model's folder. What earlier evaluations of the same "
        "weights found is kept where it is not measured again."
    )


def run(arguments: argparse.Namespace) -> None:
    if arguments.beam < 2:
        raise ValueError(f"--beam is {arguments.beam}; it must be at least 2, greedy decoding is always measured")
    if arguments.sample is not None and arguments.sample < 1:
        raise ValueError(f"--sample is {arguments.sample}; it must be at least 1")
    tests, stories = _tests(arguments), _stories(arguments)
    if not tests and not stories:
        raise ValueError("nothing to measure; give --table, --test or --alignments")
    model = load(arguments.model)
    gold = {story.name: read_story(story, model.tokenizer.languages) for story in stories}
    scores: dict[str, Any] = {"format": FORMAT, "model": _about(model), "versions": _versions(), "how": HOW}
    scores["tests"] = {
        name: {
            "files": [asdict(recorded(path)) for path in files],
            **_test(model, name, _some(pairs, arguments.sample), arguments.beam),
        }
        for name, (files, pairs) in tests.items()
    }
    if stories:
        files = [asdict(recorded(path)) for story in stories for path in sorted(story.glob("ali_w2w_*"))]
        scores["alignments"] = {"files": files, **_alignments(model, gold, arguments.sample)}
    if arguments.sample:
        put(json.dumps(scores, indent=2, ensure_ascii=False))
        return
    _write(_with_earlier(scores, model.folder), model.folder / SCORES)
    write_card(model.folder)
    tell(f"{model.folder / SCORES} and the model card are written")


def _tests(arguments: argparse.Namespace) -> dict[str, tuple[list[Path], list[Pair]]]:
    """The files and the pairs of each test by its name."""
    tests: dict[str, tuple[list[Path], list[Pair]]] = {}
    if arguments.table:
        tests[HELD_OUT] = [arguments.table], split(read_table(arguments.table)).test
    for name, source, target in arguments.test:
        if name in tests:
            raise ValueError(f"two tests are called {name}")
        tests[name] = [Path(source), Path(target)], read_two(Path(source), Path(target))
    empty = [name for name, (_, pairs) in tests.items() if not pairs]
    if empty:
        raise ValueError(f"the test {empty[0]} has no pairs")
    return tests


def _stories(arguments: argparse.Namespace) -> list[Path]:
    if not arguments.alignments:
        return []
    stories = sorted(path for path in arguments.alignments.iterdir() if path.is_dir())
    if not stories:
        raise ValueError(f"{arguments.alignments}: it holds no folder of a story")
    return stories


def _some(items: Sequence[Item], most: int | None) -> Sequence[Item]:
    """All, or so many that stand evenly apart."""
    return items[:: max(1, len(items) // most)][:most] if most else items


def _test(model: Pretrained, name: str, pairs: Sequence[Pair], width: int) -> dict[str, Any]:
    given = list(_bar(forced(model, pairs), f"{name}, references", len(pairs)))
    distinct = list(dict.fromkeys(pair.source for pair in pairs))
    searches, written = {}, {}
    for search, beam in (("greedy", 1), (f"beam_{width}", width)):
        began = time.perf_counter()
        found = dict(zip(distinct, _bar(write(model, distinct, beam), f"{name}, {search}", len(distinct)), strict=True))
        seconds = round(time.perf_counter() - began, 1)
        written[search] = [found[pair.source] for pair in pairs]
        lengths = by_length(pairs, written[search], model.tokenizer.languages[0])
        graded = grade(written[search], [pair.target for pair in pairs])
        searches[search] = {**graded, "by_length": lengths, "seconds": seconds}
    result = {"pairs": len(pairs), "sources": len(distinct), **forced_scores(given), "searches": searches}
    if name == HELD_OUT:
        result["examples"] = [
            {**pairs[index]._asdict(), **{search: lines[index] for search, lines in written.items()}}
            for index in _some(range(len(pairs)), EXAMPLES)
        ]
    return result


def _alignments(model: Pretrained, gold: dict[str, list[GoldPair]], most: int | None) -> dict[str, Any]:
    stories, total = {}, Aligned()
    for name, pairs in gold.items():
        counting = [pair for pair in pairs if pair.counts]
        counting = list(_some(counting, most))
        result = sum(_bar(aligned(model, counting), name, len(counting)), Aligned())
        stories[name] = {"left_out": _left_out(pairs), **result.scores()}
        total += result
    everything = [pair for pairs in gold.values() for pair in pairs]
    return {"overall": {"left_out": _left_out(everything), **total.scores()}, "stories": stories}


def _bar(results: Iterator[Item], what: str, total: int) -> Iterator[Item]:
    yield from tqdm(results, what, total, mininterval=0.5)


def _left_out(pairs: Sequence[GoldPair]) -> float:
    """The share of pairs that do not count."""
    return round(sum(not pair.counts for pair in pairs) / len(pairs), 4)


def _about(model: Pretrained) -> dict[str, Any]:
    return {
        "name": model.name,
        "fingerprint": model.fingerprint,
        "parameters": sum(parameter.numel() for parameter in model.network.parameters()),
        "bytes": (model.folder / WEIGHTS).stat().st_size,
    }


def _versions() -> dict[str, str]:
    return {"python": python_version(), **{name: version(name) for name in ("torch", "tokenizers", "sacrebleu")}}


def _with_earlier(scores: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What was measured now, and before it what was measured of the same weights."""
    earlier = read_scores(folder) if (folder / SCORES).exists() else {}
    if earlier.get("model", {}).get("fingerprint") != scores["model"]["fingerprint"]:
        return scores
    return {**earlier, **scores, "tests": {**earlier["tests"], **scores["tests"]}}


def _write(scores: dict[str, Any], path: Path) -> None:
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(json.dumps(scores, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(path)
