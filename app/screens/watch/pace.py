"""How fast runs go on, by what they noted last, and how long that takes at most."""

from collections.abc import Sequence

from app.training_jobs.status import RunStatus
from model.synthetic.log import Note
from model.synthetic.setup import Setup

RECENT = 12  # notes


def tokens_per_second(runs: Sequence[RunStatus]) -> float:
    """Of all runs that are not at their end, which take turns; 0 before two notes were made."""
    spans = [_recent(seen) for seen in runs if not seen.finished and len(seen.notes) > 1]
    seconds = sum(last.seconds - first.seconds for first, last in spans)
    return sum(last.tokens - first.tokens for first, last in spans) / seconds if seconds > 0 else 0.0


def seconds_to_go(setups: Sequence[Setup], runs: Sequence[RunStatus]) -> float:
    """Until the last update that was asked for; less where a run reaches its goal before that."""
    left = 0.0
    for setup, seen in zip(setups, runs, strict=True):
        if seen.finished or len(seen.notes) < 2:
            continue
        first, last = _recent(seen)
        pace = (last.seconds - first.seconds) / max(1, last.update - first.update)
        left += max(0, setup.updates - last.update) * pace
    return left


def _recent(seen: RunStatus) -> tuple[Note, Note]:
    notes = seen.notes[-RECENT:]
    return notes[0], notes[-1]
