"""Measuring one model: everything in its `scores.json`, with progress bars."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import torch

from regard.model.analysis.head_ablation import all_heads, write_without
from regard.model.cards.record_files import FORMAT, history, versions
from regard.model.checkpoint import WEIGHTS, AnyModel
from regard.model.commands.evaluate_doubt import HOW_DOUBT
from regard.model.commands.evaluate_lists import HOW_LISTS
from regard.model.commands.evaluate_test import (
    HELD_OUT,
    HOW_TESTED,
    MEASURING,
    TestSet,
    bar,
    examples,
    graded,
    origin,
    readable,
    short_pairs,
    some,
    translations,
    written_by,
)
from regard.model.commands.how_measured import how_measured
from regard.model.data.corpus import Pair, recorded
from regard.model.decoding.beam_tree import ALPHA
from regard.model.evaluation.attention_faithfulness import faithfulness, faithfulness_scores
from regard.model.evaluation.translation_quality import grade, milliseconds
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.translate import write
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.baselines import Gold, baselines
from regard.model.word_alignment.from_attention import Aligned, aligned
from regard.model.word_alignment.from_heads import HeadAgreements, head_agreements, head_scores, summed
from regard.model.word_alignment.posterior_hmm import FARTHEST, JUMPS
from regard.model.words import normalise

WORTH, WORTH_EXAMPLES = 200, 5  # sentences whose attention is replaced, and how many of them are kept in full
WIDTHS = (1, 2, 5, 10)  # beam widths that are compared...
WIDTH_PAIRS, WIDTH_EXAMPLES = 500, 5  # ...on this many held-out pairs, of which these are kept in full
TIMED = 50  # timed sentences
ABLATED = 200  # held-out pairs translated without each head
PAGE, SPEED = "page", "speed"
HOW = {
    **HOW_TESTED,
    **HOW_LISTS,
    **how_measured("page"),
    **HOW_DOUBT,
    **how_measured("model", alpha=ALPHA, width_pairs=WIDTH_PAIRS, jumps=JUMPS, farthest=FARTHEST, ablated=ABLATED),
}


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
        scores[SPEED] = speed_scores(model, tests[HELD_OUT], most)
    if gold.stories:
        scores["alignments"] = _alignments(model, gold, most)
    return scores


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
    own = _bleu(model, write(model, sources), references)
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


def page_scores(model: AnyModel, test: TestSet, most: int | None) -> dict[str, Any]:
    """Return the page's entry of `scores.json`; `most` limits the pairs unless None."""
    from regard.app.export.translator.node_engine import translated  # needed only for measuring a page
    from regard.app.export.translator.parameters import rounded, shipped

    short = short_pairs(model, HELD_OUT, test)
    pairs = some(short, most)
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    found = {}
    for name, read in (("shipped", shipped), ("rounded", rounded)):
        lines = bar(translated(model, read(model.folder / WEIGHTS), sources), f"page, {name}", len(sources))
        found[name] = graded(model, pairs, dict(zip(sources, lines, strict=True)))
    return {"test": HELD_OUT, **origin(test, short), "pairs": len(pairs), "sources": len(sources), **found}
