"""One model measured: everything that stands in its `scores.json`, with progress bars on the way."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, TypeVar

import torch
from tqdm import tqdm

from model.beam import write
from model.beam_score import ALPHA, Settings
from model.card import FORMAT, history
from model.checkpoint import WEIGHTS, Pretrained
from model.commands.lines import LONGEST
from model.commands.readable import readable
from model.corpus import Pair
from model.evaluation import SAMPLES, SMALLEST, by_length, forced, forced_scores, grade, milliseconds
from model.gold import Gold, baselines
from model.linking import Aligned, aligned
from model.links import GoldPair
from model.sources import recorded
from model.worth import worth, worth_scores

Item = TypeVar("Item")
HELD_OUT = "held_out"
EXAMPLES = 20  # held-out sentences kept with their translations
WORTH, WORTH_EXAMPLES = 200, 5  # sentences whose attention is exchanged, and those of them that are kept one by one
WIDTHS = (1, 2, 5, 10)  # of the beam, measured against one another...
WIDTH_PAIRS, WIDTH_EXAMPLES = 500, 5  # ...on so many held-out pairs, and those of them that are kept one by one
TIMED = 50  # sentences that are timed
HOW = {
    "text": "BLEU and chrF compare a translation with one reference; both are in the normal form of model.words: NFC, "
    "plain blanks and straight apostrophes",
    "lengths": "source words, punctuation marks among them; buckets of at least "
    f"{SMALLEST} pairs where a test has so many",
    "interval": f"mean of {SAMPLES} bootstrap samples less and plus half the width of their middle 95 %, as sacrebleu "
    "draws and computes them (seed 12345)",
    "held_out": "the pairs of the table whose source sentence no pair of the training part has",
    "beam": f"length normalisation of Wu et al. (2016), equation 14, alpha {ALPHA}",
    "by_width": f"{WIDTH_PAIRS} pairs that stand evenly apart in the held-out test, all of them where it has fewer",
    "too_long": f"pairs left out because a side has more than {LONGEST} tokens",
    "weight_on_end": "mean attention of target words on the source's </s>, the reference being forced; first_word: of "
    "the first word of each target alone",
    "aer": "Och and Ney (2003); pairs with a sure link and at most 50 words a side; output: a row of weights belongs "
    "to the word produced, input: to the word fed in",
    "mass": "after Ghader and Monz (2017): of the attention of target words that have a gold link, the share on the "
    "words they are linked to; mass_on_sure: words with a sure link and their sure links alone",
    "ibm1": "IBM Model 1 of NLTK from source to target, trained on the training part of the text the command was "
    "given, lower-cased; each target word is linked to its likeliest source word, to none where the empty word is as "
    "likely",
    "counterfactuals": "Moradi, Kambhatla and Sarkar (2019): at one step alone the weights are replaced; kept is the "
    "share of words whose first token stays the likeliest; kinds by the closed list of model.function_words",
    "tau": "Kendall's tau-b between the weights of a step and |gradient x input| of the token produced, or the total "
    "variation distance that leaving a source token out makes (after Jain and Wallace 2019); over steps where it is "
    "defined",
    "entropy": "mean over steps, nats",
    "uncovered": "mean over source tokens of |1 - the attention they get over the whole translation|",
    "confidence": "of SoftAlignments (Rikters and Fishel 2017), which rates a decoder that stares at </s> above one "
    "whose attention is even",
    "speed": "median processor milliseconds of a greedy translation with its whole trace, one sentence at a time; "
    "training tokens, source and target, over all seconds of the training run",
}


@dataclass(frozen=True)
class Test:
    """Pairs to translate, and the files they come from."""

    files: list[Path]
    pairs: list[Pair]


def measure(model: Pretrained, tests: dict[str, Test], gold: Gold, width: int, most: int | None) -> dict[str, Any]:
    """`scores.json` of a model; `most` pairs of each kind where it is not None."""
    scores: dict[str, Any] = {"format": FORMAT, "model": _about(model), "versions": _versions(), "how": HOW}
    pairs = {name: readable(model, test.pairs, test.files) for name, test in tests.items()}
    empty = [name for name, short in pairs.items() if not short]
    if empty:
        raise ValueError(f"every pair of the test {empty[0]} is too long for it")
    scores["tests"] = {
        name: {
            "files": [asdict(recorded(path)) for path in test.files],
            "too_long": len(test.pairs) - len(pairs[name]),
            **_test(model, name, some(pairs[name], most), width),
        }
        for name, test in tests.items()
    }
    if HELD_OUT in tests:
        scores |= _attention(model, list(dict.fromkeys(pair.source for pair in pairs[HELD_OUT])), most)
    if gold.stories:
        scores["alignments"] = _alignments(model, gold, most)
    return scores


def some(items: Sequence[Item], most: int | None) -> Sequence[Item]:
    """All, or so many that stand evenly apart."""
    count = min(len(items), most or len(items))
    return [items[len(items) * place // count] for place in range(count)]


def _test(model: Pretrained, name: str, pairs: Sequence[Pair], width: int) -> dict[str, Any]:
    given = list(_bar(forced(model, pairs), f"{name}, references", len(pairs)))
    distinct = list(dict.fromkeys(pair.source for pair in pairs))
    searches, written, by_width = {}, {}, {}
    for search, beam in (("greedy", 1), (f"beam_{width}", width)):
        began = time.perf_counter()
        found = by_width[beam] = _written(model, distinct, beam, f"{name}, {search}")
        seconds = round(time.perf_counter() - began, 1)
        written[search] = [found[pair.source] for pair in pairs]
        lengths = by_length(pairs, written[search], model.tokenizer.languages[0])
        graded = grade(written[search], [pair.target for pair in pairs])
        searches[search] = {**graded, "by_length": lengths, "seconds": seconds}
    result = {"pairs": len(pairs), "sources": len(distinct), **forced_scores(given), "searches": searches}
    if name == HELD_OUT:
        result["by_width"] = _by_width(model, pairs, by_width)
        result["examples"] = [
            {**pairs[index]._asdict(), **{search: lines[index] for search, lines in written.items()}}
            for index in some(range(len(pairs)), EXAMPLES)
        ]
    return result


def _by_width(model: Pretrained, pairs: Sequence[Pair], known: dict[int, dict[str, str]]) -> dict[str, Any]:
    """How good translations are by the width of the beam, on some of the pairs; those that are known are not redone."""
    chosen = some(pairs, WIDTH_PAIRS)
    sources = list(dict.fromkeys(pair.source for pair in chosen))
    found = {width: known.get(width) or _written(model, sources, width, f"beam of {width}") for width in WIDTHS}
    rows = []
    for width, lines in found.items():
        graded = grade([lines[pair.source] for pair in chosen], [pair.target for pair in chosen])
        rows.append({"width": width, **{metric: graded[metric]["score"] for metric in ("bleu", "chrf")}})
    examples = [
        {"source": source, "written": {str(width): lines[source] for width, lines in found.items()}}
        for source in some(sources, WIDTH_EXAMPLES)
    ]
    return {"pairs": len(chosen), "sources": len(sources), "widths": rows, "examples": examples}


def _written(model: Pretrained, sources: Sequence[str], width: int, what: str) -> dict[str, str]:
    """The translation of each sentence by a beam of this width."""
    return dict(zip(sources, _bar(write(model, sources, Settings(width)), what, len(sources)), strict=True))


def _attention(model: Pretrained, sources: Sequence[str], most: int | None) -> dict[str, Any]:
    """What attention is worth, and how fast the model is, on some of the sentences."""
    chosen, timed = (some(sources, min(count, most or count)) for count in (WORTH, TIMED))
    results = list(_bar(worth(model, chosen), "what attention is worth", len(chosen)))
    speed: dict[str, Any] = {"milliseconds_a_sentence": milliseconds(model, timed)}
    speed |= {"sentences": len(timed), "threads": torch.get_num_threads()}
    rows = history(model.folder)
    if rows:
        speed["training_tokens_a_second"] = round(float(rows[-1]["tokens"]) / float(rows[-1]["seconds"]))
    return {"attention": {"test": HELD_OUT, **worth_scores(results, WORTH_EXAMPLES)}, "speed": speed}


def _alignments(model: Pretrained, gold: Gold, most: int | None) -> dict[str, Any]:
    stories: dict[str, Any] = {}
    total, measured = Aligned(), []
    for name, pairs in gold.stories.items():
        counting = [pair for pair in pairs if pair.counts]
        short = readable(model, counting, gold.files[name])
        chosen = some(short, most)
        result = sum(_bar(aligned(model, chosen), name, len(chosen)), Aligned())
        too_long = len(counting) - len(short)
        stories[name] = {**_left_out(pairs, too_long), **result.scores(), **baselines(gold, chosen)}
        total += result
        measured += chosen
    everything = [pair for pairs in gold.stories.values() for pair in pairs]
    too_long = sum(story["too_long"] for story in stories.values())
    overall = {**_left_out(everything, too_long), **total.scores(), **baselines(gold, measured)}
    files = [asdict(recorded(path)) for paths in gold.files.values() for path in paths if path.name.startswith("ali_")]
    return {"files": files, **gold.about, "overall": overall, "stories": stories}


def _left_out(pairs: Sequence[GoldPair], too_long: int) -> dict[str, int | float]:
    """The share of pairs that do not count, and how many of the others this model does not read."""
    share = sum(not pair.counts for pair in pairs) / max(1, len(pairs))
    return {"left_out": round(share, 4), "too_long": too_long}


def _bar(results: Iterator[Item], what: str, total: int) -> Iterator[Item]:
    yield from tqdm(results, what, total, mininterval=0.5)


def _about(model: Pretrained) -> dict[str, Any]:
    return {
        "name": model.name,
        "fingerprint": model.fingerprint,
        "parameters": sum(parameter.numel() for parameter in model.network.parameters()),
        "bytes": (model.folder / WEIGHTS).stat().st_size,
    }


def _versions() -> dict[str, str]:
    named = ("torch", "tokenizers", "sacrebleu", "nltk", "scipy")
    return {"python": python_version(), **{name: version(name) for name in named}}
