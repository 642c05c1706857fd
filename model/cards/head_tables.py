"""Heads of a Transformer in a model card: how well each aligns words, and what translations lose without it."""

from collections.abc import Mapping
from typing import Any

from regard.model.cards.markdown import LINKED, paragraphs, sentence, table
from regard.model.evaluation import scores_record


def head_tables(scores: Mapping[str, Any]) -> str:
    """Return the tables of heads that were measured."""
    return paragraphs(_aligned(scores_record.part(scores, "alignments")), _without(scores))


def _aligned(measured: Mapping[str, Any]) -> str:
    """Return the error rate of every head of a Transformer, and of means."""
    if "heads" not in measured:
        return ""
    found = measured["heads"]
    rows = [
        [LINKED[rows], str(layer + 1), *(f"{aer:.3f}" for aer in row), f"{mean:.3f}"]
        for rows in ("output", "input")
        for layer, (row, mean) in enumerate(zip(found[rows]["heads"], found[rows]["layers"], strict=True))
    ]
    means = ", ".join(f"{found[rows]['mean']:.3f} read as the {LINKED[rows]}" for rows in ("output", "input"))
    told = f"AER of every head, and of the mean of each layer's heads. The mean of all heads has {means}."
    if "elsewhere" in found:
        told += (
            f" The head that is best on the other stories has {found['elsewhere']['aer']:.3f} on the one left out; "
            f"most often it is {_head(found['elsewhere'])}."
        )
    best = f" On all stories the best is {_head(found['best'])}, with {found['best']['aer']:.3f}."
    return f"{told}{best}\n\n{table(['links from', 'layer', *_numbered(len(rows[0]) - 3), 'mean'], rows)}"


def _head(place: Mapping[str, Any]) -> str:
    return f"head {place['head'] + 1} of layer {place['layer'] + 1}, read as the {LINKED[place['rows']]}"


def _numbered(heads: int) -> list[str]:
    return [f"head {head + 1}" for head in range(heads)]


def _without(scores: Mapping[str, Any]) -> str:
    """Return BLEU with each head of a Transformer switched off."""
    if "without_head" not in scores:
        return ""
    found, how = scores_record.part(scores, "without_head"), scores_record.part(scores, "how")["without_head"]
    heads = 1 + max(row["head"] for row in found["heads"])
    places = dict.fromkeys((row["attention"], row["layer"]) for row in found["heads"])
    bleu = {(row["attention"], row["layer"], row["head"]): row["bleu"] for row in found["heads"]}
    rows = [
        [name, str(layer + 1), *(f"{bleu[name, layer, head]:.1f}" for head in range(heads))] for name, layer in places
    ]
    told = f"{sentence(how)} With all heads it is {found['bleu']:.1f}, on {found['pairs']:,} pairs."
    return f"{told}\n\n{table(['attention', 'layer', *_numbered(heads)], rows)}"
