"""A run's state in words: its activity, its progress, and the possible next actions."""

from collections.abc import Sequence

from regard.app.screens.watch.run_names import TASK_NAMES, titles
from regard.app.training_jobs.job import JobStatus, RunStatus
from regard.model.files import toml_beside
from regard.model.synthetic.log import Note
from regard.model.synthetic.setup import Setup

RECORDED = "recorded"  # not a job's state: the run of a shipped model
_TOLD = toml_beside(__file__, "text.toml")
STATES: dict[str, str] = _TOLD["names"]
LIVE = ("waiting", "starting", "running", "paused")


def state(view: JobStatus) -> str:
    return STATES.get(view.state, view.state.capitalize())


def detail(view: JobStatus) -> str:
    """Return the details of a state beyond its name; the numbers change with every update."""
    if view.state in _COMPOSED:
        return _COMPOSED[view.state](view)
    told = _TOLD["details"].get(view.state, "{reason}").format(update=updates(view), reason=view.reason)
    return told.strip() or "The reason is unknown."


def announcement(view: JobStatus) -> str:
    """Return the announcement for screen readers: only what changes rarely."""
    return state(view) if view.state in ("starting", "running") else f"{state(view)}. {detail(view)}"


def updates(view: JobStatus) -> int:
    """Return the updates done by all runs, or by the one that is behind."""
    return min((seen.notes[-1].update if seen.notes else 0 for seen in view.runs), default=0)


def ordinal(number: int) -> str:
    """Return an ordinal number, such as 2nd, 11th, 23rd."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def duration(seconds: float) -> str:
    """Format in whole seconds, or in minutes from two on."""
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} s"


def _recorded(view: JobStatus) -> str:
    if not any(seen.looks for seen in view.runs):
        return "Nothing yet. Start trains a network with the settings above."
    setup = view.setups[0]
    return (
        f"This run of the task “{TASK_NAMES[setup.task]}”, on sequences of up to {setup.longest} numbers, made a model "
        "that comes with the program. Start trains one here and now, with the settings above."
    )


def _waiting(view: JobStatus) -> str:
    before = view.place - 1
    ahead = {0: "the next free place", 1: "the one before it"}.get(before, f"the {before} before it")
    starts = "It starts on" if before == 0 else "It starts after"
    return f"{ordinal(view.place)} in the queue. {starts} {ahead}; you can leave the page open meanwhile."


def _running(view: JobStatus) -> str:
    speed = tokens_per_second(view.runs)
    most = max(setup.updates for setup in view.setups)
    parts = [f"update {updates(view):,} of at most {most:,}"]
    if speed:
        left = min(seconds_to_go(view.setups, view.runs), view.seconds_left)
        parts += [f"{speed:,.0f} tokens a second", f"at most {duration(left)} to go"]
    return " · ".join(parts)


def _finished(view: JobStatus) -> str:
    reached = [
        f"{seen.finished} after {seen.notes[-1].update:,} updates and {duration(seen.notes[-1].seconds)} of training"
        for seen in view.runs
        if seen.notes
    ]
    if len(reached) > 1:
        names = [title for title, _ in titles(view.setups)]
        reached = [f"{name}: {told}" for name, told in zip(names, reached, strict=True)]
    return "; ".join(reached) + "."


_COMPOSED = {RECORDED: _recorded, "waiting": _waiting, "running": _running, "finished": _finished}
RECENT = 12  # notes


def tokens_per_second(runs: Sequence[RunStatus]) -> float:
    """Return the speed of all unfinished runs, which take turns; 0 before there are two notes."""
    spans = [_recent(seen) for seen in runs if not seen.finished and len(seen.notes) > 1]
    seconds = sum(last.seconds - first.seconds for first, last in spans)
    return sum(last.tokens - first.tokens for first, last in spans) / seconds if seconds > 0 else 0.0


def seconds_to_go(setups: Sequence[Setup], runs: Sequence[RunStatus]) -> float:
    """Return the seconds to the last requested update; fewer if a run reaches its goal before."""
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
