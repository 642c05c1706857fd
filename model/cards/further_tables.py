"""Tables of a model card beyond its main scores: lists of sentences, made numbers, doubt, and heads.

A part that was not measured is empty.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.model.cards.markdown import LINKED, number, paragraphs, sentence, table
from regard.model.evaluation import scores_record

PARTS = {"held_out": "held-out text", "lists": "lists of sentences"}  # on which the chance is measured


def sentence_list(scores: Mapping[str, Any], name: str) -> str:
    """Return the counts of acceptable translations of a list, by kind, and some unacceptable ones."""
    measured = scores_record.part(scores, name)
    if not measured:
        return ""
    typed, read = (measured[reading] for reading in ("as_typed", "as_read"))
    rows = [
        [kind, f"{count['sentences']:,}", f"{typed[kind]['accepted']:,}", f"{count['accepted']:,}"]
        for kind, count in read.items()
    ]
    heads = ["kind", "sentences", "acceptable as typed", "as read"]
    failing = [(row["typed"], row["greedy"]) for row in measured.get("not_accepted", [])]
    how = scores_record.part(scores, "how")[name]
    return paragraphs(table(heads, rows), sentence(how), _failing("Not acceptable", failing))


def made_numbers(scores: Mapping[str, Any]) -> str:
    """Return the counts of made sentences with an exact number, and some wrong ones."""
    measured = scores_record.part(scores, "made_numbers")
    if not measured:
        return ""
    rows = [[kind, f"{count['sentences']:,}", f"{count['exact']:,}"] for kind, count in measured["rates"].items()]
    failing = [(row["sentence"], row["greedy"]) for row in measured["not_exact"]]
    how = scores_record.part(scores, "how")["made_numbers"]
    return paragraphs(table(["kind", "sentences", "number exact"], rows), sentence(how), _failing("Not exact", failing))


def _failing(head: str, pairs: Sequence[tuple[str, str]]) -> str:
    if not pairs:
        return ""
    return f"{head}, for example:\n\n" + "\n".join(f"- {source} → *{written}*" for source, written in pairs)


def doubt(scores: Mapping[str, Any]) -> str:
    """Return the measures of the chance, its reliability diagram and the flags."""
    measured, how = scores_record.part(scores, "doubt"), scores_record.part(scores, "how")
    if not measured:
        return ""
    rows = [
        [called, f"{of['sentences']:,}", f"{of['right']:.1%}"]
        + [number(of[way][rate], 3) for rate in ("auc", "calibration_error") for way in ("chance", "mean_alone")]
        for name, called in PARTS.items()
        if (of := measured.get(name))
    ]
    heads = ["measured on", "sentences", "acceptable"]
    heads += ["area under ROC", "of the mean alone", "calibration error", "of the mean alone"]
    diagram = [
        [called, f"{row['chance']:.1%}", f"{row['right']:.1%}", f"{row['sentences']:,}"]
        for name, called in PARTS.items()
        for row in measured.get(name, {"chance": {"bins": []}})["chance"]["bins"]
    ]
    return paragraphs(
        table(heads, rows),
        f"{sentence(how['doubt'])} Fitted on {measured['fitted_on']:,} translations.",
        "Reliability: of the translations that get such a chance, the share that is acceptable.",
        table(["measured on", "mean chance", "acceptable", "sentences"], diagram),
        _flags(measured["flags"], how["flags"]),
    )


def _flags(measured: Mapping[str, Any], how: str) -> str:
    rows = [
        [name.replace("_", " "), f"{of['precision']:.1%}", f"{of['recall']:.1%}", f"{of['named']:.1%}"]
        for name, of in measured.items()
        if isinstance(of, Mapping)
    ]
    heads = ["flag", "precision", "recall", "at the very word"]
    return f"{table(heads, rows)}\n\nFlags of coverage {how}."


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
