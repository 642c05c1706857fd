"""A job as training.js draws it: its state in words, and each run's name, notes and snapshots.

A row of notes is an update with its loss and its exact match (null if not measured); a row of looks is an update with
the weights, what was written, and the share of the weight on the number to be written.
"""

import re
from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

from regard.app.training_jobs.scheduler import JobStatus, RunStatus
from regard.model.arithmetic.quantity import SCORES
from regard.model.files import toml_beside
from regard.model.synthetic.setup import ATTENTIONS, Setup
from regard.model.synthetic.trainer import watched
from regard.model.training.snapshots import Snapshot
from regard.model.transformer.transformer import NETWORK as TRANSFORMER

RECORDED = "recorded"  # not a job's state: the run of a shipped model
LIVE = ("waiting", "starting", "running", "paused")
_TEXTS = toml_beside(__file__, "text.toml")
STATES: dict[str, str] = _TEXTS["names"]
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
RECENT = 12  # notes over which the speed is measured
DIGITS = 5  # decimals of a weight, a loss, a share
_SYMBOL = re.compile(r"[0-9]+|\S")


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
    """Return name and further settings of each run, as text: its attention, and what tells it from the other."""
    differing = [field for field, phrase in PHRASES.items() if len({phrase(setup) for setup in setups}) > 1]
    named = differing or ["attention"]
    return [
        (
            ", ".join(PHRASES[field](setup) for field in named),
            " · ".join(phrase(setup) for field, phrase in PHRASES.items() if field not in named),
        )
        for setup in setups
    ]


def detail(view: JobStatus) -> str:
    """Return the details of a state beyond its name; the numbers change with every update."""
    update = min((run.notes[-1].update if run.notes else 0 for run in view.runs), default=0)  # of the one behind
    match view.state:
        case "recorded" if not any(run.looks for run in view.runs):
            return "Nothing yet. Start trains a network with the settings above."
        case "recorded":
            setup = view.setups[0]
            return (
                f"This run of the task “{TASK_NAMES[setup.task]}”, on sequences of up to {setup.longest} numbers, made "
                "a model that comes with the program. Start trains one here and now, with the settings above."
            )
        case "waiting":
            return f"Number {view.place} in the queue; you can leave the page open meanwhile."
        case "running":
            speed = tokens_per_second(view.runs)
            most = max(setup.updates for setup in view.setups)
            return f"update {update:,} of at most {most:,}" + (f" · {speed:,.0f} tokens a second" if speed else "")
        case "finished":
            reached = (
                f"{run.finished} after {run.notes[-1].update:,} updates and {run.notes[-1].seconds:.0f} s of training"
                for run in view.runs
            )
            named = (title for title, _ in titles(view.setups))
            told = reached if len(view.runs) == 1 else map(": ".join, zip(named, reached, strict=True))
            return "; ".join(told) + "."
        case other:
            return _TEXTS["details"][other].format(update=update, reason=view.reason).strip()


def tokens_per_second(runs: Sequence[RunStatus]) -> float:
    """Return the speed of all unfinished runs, which take turns; 0 before there are two notes."""
    recent = [run.notes[-RECENT:] for run in runs if not run.finished and len(run.notes) > 1]
    seconds = sum(notes[-1].seconds - notes[0].seconds for notes in recent)
    return sum(notes[-1].tokens - notes[0].tokens for notes in recent) / seconds if seconds > 0 else 0.0


def payload(run: str, view: JobStatus) -> dict[str, Any]:
    """Return the payload; `run` names the job. Screen readers announce only what changes rarely."""
    state, about = STATES[view.state], detail(view)
    return {
        "id": run,
        "kind": view.state,
        "state": state,
        "detail": about,
        "announce": state if view.state in ("starting", "running") else f"{state}. {about}",
        "runs": [
            _run(setup, seen, *title)
            for setup, seen, title in zip(view.setups, view.runs, titles(view.setups), strict=True)
        ],
    }


def _run(setup: Setup, seen: RunStatus, title: str, about: str) -> dict[str, Any]:
    pairs = watched(setup)
    source, target = (text.split() for text in pairs[0])
    return {
        "title": title,
        "about": about,
        "attends": setup.attends,
        "heads": _heads(setup),
        "source": source,
        "target": target,
        "examples": [{"source": read.split(), "wanted": wanted.split()} for read, wanted in pairs],
        "notes": [
            [note.update, round(note.loss, DIGITS), None if isnan(note.exact) else round(note.exact, DIGITS)]
            for note in seen.notes
        ],
        "looks": [_look(look, source, target) for look in seen.looks],
    }


def _look(look: Snapshot, source: Sequence[str], target: Sequence[str]) -> list[Any]:
    weights = look.weights[0].tolist()
    rounded = [[round(weight, DIGITS) for weight in row] for row in weights]
    found = round(on_wanted(weights, source, target), DIGITS)
    return [look.update, rounded, [symbols(text) for text in look.translations], found]


def symbols(written: str) -> list[str]:
    """Return the written numbers, and every other character separately, invisible ones as U+FFFD. A network that has
    hardly learned also writes bytes, without blanks between them."""
    return [symbol if symbol.isprintable() else "\ufffd" for symbol in _SYMBOL.findall(written)]


def on_wanted(weights: Sequence[Sequence[float]], source: Sequence[str], target: Sequence[str]) -> float:
    """Return the share of the weight on numbers equal to the one to be written, over all rows that write one."""
    shares = [
        sum(weight for weight, read in zip(row, source, strict=False) if read == wanted)  # all columns but `</s>`
        for row, wanted in zip(weights, target, strict=False)  # all rows but that of `</s>`
    ]
    return sum(shares) / len(shares)
