"""Run names: a run's difference from the one beside it, or its attention, followed by the other settings."""

from collections.abc import Callable, Sequence

from regard.model.arithmetic.kinds import SCORES
from regard.model.synthetic.setup import ATTENTIONS, Setup
from regard.model.transformer.transformer import NETWORK as TRANSFORMER

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
        return [_told(setups[0], ["attention"])]
    differing = [field for field, phrase in PHRASES.items() if len({phrase(setup) for setup in setups}) > 1]
    if not differing:
        return [(name, _told(setup, [])[1]) for name, setup in zip(("first run", "second run"), setups, strict=True)]
    return [_told(setup, differing) for setup in setups]


def _told(setup: Setup, named: Sequence[str]) -> tuple[str, str]:
    title = ", ".join(PHRASES[field](setup) for field in named)
    return title, " · ".join(phrase(setup) for field, phrase in PHRASES.items() if field not in named)
