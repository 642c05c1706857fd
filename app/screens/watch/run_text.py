"""A run in words: its name, which says how it differs from the one beside it, its state, and what can be done next."""

from collections.abc import Callable, Sequence

from regard.app.training_jobs.job import JobStatus, RunStatus
from regard.model.arithmetic.kinds import SCORES
from regard.model.files import toml_beside
from regard.model.synthetic.setup import ATTENTIONS, Setup
from regard.model.synthetic.trainer import Note
from regard.model.transformer.transformer import NETWORK as TRANSFORMER

RECORDED = "recorded"  # not a job's state: the run of a shipped model
_TEXTS = toml_beside(__file__, "text.toml")
STATES: dict[str, str] = _TEXTS["names"]
LIVE = ("waiting", "starting", "running", "paused")
ATTENTION_NAMES = {
    **{name: score.name for name, score in SCORES.items()},
    "bahdanau": "Bahdanau's",
    "transformer": "Transformer",
    "transformer-nopos": "Transformer, no positions",
}
CHOICES: dict[str, dict[str, str]] = {  # fields of a setup, by attention or by a network with its own
    **{name: {"network": "recurrent", "attention": name, "positions": "sinusoids"} for name in ATTENTIONS},
    "transformer": {"network": TRANSFORMER, "attention": "dot", "positions": "sinusoids"},
    "transformer-nopos": {"network": TRANSFORMER, "attention": "dot", "positions": "none"},
}
TASK_NAMES = {"reverse": "Reverse", "copy": "Copy", "sort": "Sort", "shift": "Shift by one"}
PHRASES: dict[str, Callable[[Setup], str]] = {
    "attention": lambda setup: _attention(choice(setup)),
    "teacher_forcing": lambda setup: f"{setup.teacher_forcing:.0%} teacher forcing",
    "task": lambda setup: TASK_NAMES[setup.task].lower(),
    "longest": lambda setup: f"up to {setup.longest} numbers",
    "symbols": lambda setup: f"{setup.symbols} different ones",
    "cell": lambda setup: f"{setup.layers} layers of {setup.heads} heads" if _heads(setup) else setup.cell.upper(),
    "hidden": lambda setup: f"hidden size {setup.hidden}",
    "rate": lambda setup: f"rate {setup.rate:g}",
    "batch": lambda setup: f"batch {setup.batch}",
    "seed": lambda setup: f"seed {setup.seed}",
}


def choice(setup: Setup) -> str:
    """Return which of `CHOICES` the setup has."""
    if _heads(setup):
        return "transformer-nopos" if setup.positions == "none" else "transformer"
    return setup.attention


def _heads(setup: Setup) -> bool:
    return setup.network == TRANSFORMER


def _attention(name: str) -> str:
    """Return an attention's name in a title."""
    if name not in ATTENTIONS:
        return ATTENTION_NAMES[name]
    return f"{'no' if name == 'none' else ATTENTION_NAMES[name]} attention"


def titles(setups: Sequence[Setup]) -> list[tuple[str, str]]:
    """Return name and further settings of each run, as text; identical setups are numbered."""
    if len(setups) == 1:
        return [_named(setups[0], ["attention"])]
    differing = [field for field, phrase in PHRASES.items() if len({phrase(setup) for setup in setups}) > 1]
    if not differing:
        return [(name, _named(setup, [])[1]) for name, setup in zip(("first run", "second run"), setups, strict=True)]
    return [_named(setup, differing) for setup in setups]


def _named(setup: Setup, named: Sequence[str]) -> tuple[str, str]:
    title = ", ".join(PHRASES[field](setup) for field in named)
    return title, " · ".join(phrase(setup) for field, phrase in PHRASES.items() if field not in named)


def state(view: JobStatus) -> str:
    return STATES.get(view.state, view.state.capitalize())


def detail(view: JobStatus) -> str:
    """Return the details of a state beyond its name; the numbers change with every update."""
    if view.state in _COMPOSED:
        return _COMPOSED[view.state](view)
    told = _TEXTS["details"].get(view.state, "{reason}").format(update=updates(view), reason=view.reason)
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
