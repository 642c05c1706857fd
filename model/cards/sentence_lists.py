"""Sentence lists and made numbers in a model card: the counts of acceptable translations, and examples of others."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.model.cards.markdown import paragraphs, sentence, table
from regard.model.evaluation import scores_record


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
