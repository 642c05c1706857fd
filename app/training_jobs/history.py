"""History of a run: turns a worker's messages into what a screen shows, bounded however long the run."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from regard.app.training_jobs.status import RunStatus
from regard.model.synthetic.log import AttentionSnapshot, Note

NOTES, LOOKS = 400, 80  # kept per training


Moment = TypeVar("Moment", Note, AttentionSnapshot)


def recorded(seen: RunStatus, said: dict[str, Any], folder: Path) -> RunStatus:
    """Add a worker's message about this training: a note, a snapshot, its end, its model."""
    if "note" in said:
        return replace(seen, notes=extended(seen.notes, Note(**said["note"]), NOTES))
    if "look" in said:
        return replace(seen, looks=extended(seen.looks, _look(**said["look"]), LOOKS))
    if "model" in said:
        return replace(seen, model=folder / said["model"])
    return replace(seen, finished=said["finished"])


def extended(moments: Sequence[Moment], latest: Moment, most: int) -> tuple[Moment, ...]:
    """Append the latest and thin out to at most `most`, evenly spaced, keeping the first and the latest. A training
    that resumes from a checkpoint repeats some updates: earlier records of those updates and later ones are dropped."""
    kept = [*(moment for moment in moments if moment.update < latest.update), latest]
    while len(kept) > most:
        gaps = [after.update - before.update for before, after in zip(kept, kept[2:], strict=False)]
        del kept[1 + gaps.index(min(gaps))]  # the record whose loss matters least
    return tuple(kept)


def _look(update: int, weights: list[list[float]], predictions: list[tuple[str, str, str]]) -> AttentionSnapshot:
    """Build a snapshot from JSON, which has no tuples."""
    texts = tuple((source, wanted, written) for source, wanted, written in predictions)
    return AttentionSnapshot(update, tuple(map(tuple, weights)), texts)
