"""History of a run: what a worker says becomes what a screen is shown, and stays bounded however long it goes on."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from regard.app.training_jobs.status import RunStatus
from regard.model.synthetic.log import AttentionSnapshot, Note

NOTES, LOOKS = 400, 80  # kept of one training


class Dated(Protocol):
    """Something that was so after some update."""

    @property
    def update(self) -> int: ...


Moment = TypeVar("Moment", bound=Dated)


def recorded(seen: RunStatus, said: dict[str, Any], folder: Path) -> RunStatus:
    """With what a worker said of this training in this folder: a note, a look, its end, its model."""
    if "note" in said:
        return replace(seen, notes=extended(seen.notes, Note(**said["note"]), NOTES))
    if "look" in said:
        return replace(seen, looks=extended(seen.looks, _look(**said["look"]), LOOKS))
    if "model" in said:
        return replace(seen, model=folder / said["model"])
    return replace(seen, finished=said["finished"])


def extended(moments: Sequence[Moment], latest: Moment, most: int) -> tuple[Moment, ...]:
    """At most so many, evenly spaced, the first and the latest among them.

    A training that goes on from a checkpoint comes by some updates again: what was known of them, and of all after
    them, gives way.
    """
    kept = [*(moment for moment in moments if moment.update < latest.update), latest]
    while len(kept) > most:
        gaps = [after.update - before.update for before, after in zip(kept, kept[2:], strict=False)]
        del kept[1 + gaps.index(min(gaps))]  # the one that is missed least
    return tuple(kept)


def _look(update: int, weights: list[list[float]], predictions: list[tuple[str, str, str]]) -> AttentionSnapshot:
    """From JSON, which knows no tuples."""
    texts = tuple((source, wanted, written) for source, wanted, written in predictions)
    return AttentionSnapshot(update, tuple(map(tuple, weights)), texts)
