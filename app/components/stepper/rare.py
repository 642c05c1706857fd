"""Rare words: a mark, with a count, for words and tokens that occur only a few times in the training text."""

from collections.abc import Iterable
from typing import Any

from regard.model.memory.occurrences import RARE, Occurrences
from regard.model.tokenizer import CONTROL
from regard.model.trace import AnyTrace


def mark_rare(drawn: dict[str, Any], trace: AnyTrace, occurrences: Occurrences) -> None:
    """Mark rare words of the source, and rare tokens of both sides, in a trace of the stepper's payload."""
    words = drawn["source"]["words"]
    _mark(words, ([occurrences.word(label["text"]), label["kind"] == "word"] for label in words))
    for side, ids, counts in (
        ("source", trace.source_ids, occurrences.source_tokens),
        ("target", trace.target_ids, occurrences.target_tokens),
    ):
        tokens = drawn[side]["tokens"]
        _mark(tokens, ([int(counts[index]), index >= len(CONTROL)] for index in ids.tolist()))


def _mark(labels: Iterable[dict[str, Any]], counts: Iterable[tuple[int, bool] | list[Any]]) -> None:
    for label, (count, counted) in zip(labels, counts, strict=True):
        if counted and count < RARE:
            label["rare"] = count
            times = "does not occur" if count == 0 else f"occurs {'once' if count == 1 else f'{count} times'}"
            label["title"] = " · ".join(filter(None, [label["title"], f"rare: {times} in the training text"]))
