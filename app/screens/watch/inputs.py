"""Inputs: the setup of one or two trainings, by presets and widgets; the page's link keeps them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.screens.watch.payload import ATTENTION_NAMES, CHOICES, TASK_NAMES, choice
from regard.app.ui.widgets import ScreenHead, seed_field, segments, select
from regard.model.cells import CELLS
from regard.model.files import toml_beside
from regard.model.synthetic.setup import LIMITS, Setup
from regard.model.synthetic.tasks import TASKS

USUAL = Setup()
SECOND = "other"  # true if there is a second run; the prefix of its widgets' keys
SIZES = (8, 16, 32, 64, 128, 256)
RATES = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016)
MOST_UPDATES = (500, 1000, 2000, 3000, 5000, 10000, 20000)
KEYS = {  # of the widgets, by field of a setup
    "task": "task",
    "longest": "longest",
    "attention": "attention",
    "teacher_forcing": "forcing",
    "symbols": "numbers",
    "cell": "cell",
    "hidden": "hidden",
    "rate": "rate",
    "batch": "batch",
    "updates": "most",
    "seed": "run_seed",
}
SEEN = ("task", "attention")  # the others are among the options
HIDDEN = tuple(field for field in KEYS if field not in SEEN)
OWN = ("attention", "teacher_forcing", "cell", "hidden", "rate", "seed")  # fields that a second run sets separately
USUAL_SECOND = replace(USUAL, attention="none")


class TrainingPreset(NamedTuple):
    """One or two training runs; `why` says what to look for, as Markdown."""

    label: str
    setups: tuple[Setup, ...]
    why: str


PRESETS = tuple(
    TrainingPreset(preset["label"], tuple(replace(USUAL, **changed) for changed in preset["changes"]), preset["why"])
    for preset in toml_beside(__file__, "text.toml")["preset"]
)
OF_ONES_OWN = (
    "Settings of your own. All numbers are drawn at random; the sequences that are measured and shown are kept out of "
    "training."
)


def preset_of(setups: Sequence[Setup]) -> TrainingPreset | None:
    """Return the preset with exactly these setups, or None."""
    return next((preset for preset in PRESETS if preset.setups == tuple(setups)), None)


def choose(top: ScreenHead) -> tuple[Setup, ...]:
    """Choose one setup, or two that learn the same task in different ways."""
    for field in OWN:  # a value that a preset sets reaches the link if its key was there before
        st.session_state.setdefault(f"{SECOND}_{KEYS[field]}", _value(USUAL_SECOND, field))
    first = Setup(**_widgets(SEEN, top.row, "", USUAL), **_widgets(HIDDEN, top.options, "", USUAL))
    with top.row:
        _presets()
    with top.options:
        if not st.toggle("Compare with a second run", key=SECOND, bind="query-params"):
            return (first,)
    return first, replace(first, **_widgets(OWN, top.options, f"{SECOND}_", USUAL_SECOND))


def _widgets(fields: Sequence[str], place: DeltaGenerator, prefix: str, usual: Setup) -> dict[str, Any]:
    """Draw a widget for each field; that of attention also chooses the network."""
    setting = {}
    for field in fields:
        with place:
            chosen = WIDGETS[field](prefix + KEYS[field], _value(usual, field))
            setting |= CHOICES[chosen] if field == "attention" else {field: chosen}
    return setting


def _value(setup: Setup, field: str) -> Any:
    """Return what a field's widget shows for a setup."""
    return choice(setup) if field == "attention" else getattr(setup, field)


def _presets() -> None:
    st.menu_button(
        "Presets",
        range(len(PRESETS)),
        format_func=lambda place: PRESETS[place].label,
        type="tertiary",
        key="presets",
        on_click=lambda: _take(PRESETS[st.session_state.presets].setups),
    )


def _take(setups: Sequence[Setup]) -> None:
    """Set the widgets to a preset."""
    state = st.session_state
    first, *others = setups
    for field, key in KEYS.items():
        state[key] = _value(first, field)
    state[SECOND] = bool(others)
    for second in others:
        for field in OWN:
            state[f"{SECOND}_{KEYS[field]}"] = _value(second, field)


def _choice(label: str, choices: Sequence[Any], about: str) -> Callable[[str, Any], Any]:
    """Draw a slider with few stops and return its value."""
    return lambda key, value: st.select_slider(
        label, choices, value, "{:,}".format, key=key, bind="query-params", help=about
    )


def _number(label: str, field: str, about: str) -> Callable[[str, Any], Any]:
    """Draw a slider over all accepted whole numbers and return its value."""
    low, high = map(int, LIMITS[field])
    return lambda key, value: st.slider(label, low, high, value, key=key, bind="query-params", help=about)


WIDGETS: dict[str, Callable[[str, Any], Any]] = {
    "task": lambda key, value: segments("Task", {name: TASK_NAMES[name] for name in TASKS}, value, key, bare=True),
    "attention": lambda key, value: select(
        "Attention", {name: ATTENTION_NAMES[name] for name in CHOICES}, value, key, width=260, bare=key == "attention"
    ),
    "cell": lambda key, value: segments(
        "Cell", {name: name.upper() for name in CELLS}, value, key, "For a recurrent network; a Transformer has none."
    ),
    "seed": lambda key, value: seed_field("Seed", key, "Seed of the initial parameters and of the sequences.", value),
    "teacher_forcing": lambda key, value: st.slider(
        "Teacher forcing",
        *(0.0, 1.0, value, 0.05),
        format="percent",
        key=key,
        bind="query-params",
        help="How often the decoder is fed the true number in training; otherwise it is fed its own.",
    ),
    "longest": _number("Longest sequence", "longest", "Each sequence has between one and this many numbers."),
    "symbols": _number("Different numbers", "symbols", "They count from 0."),
    "hidden": _choice("Hidden size", SIZES, "Components of the decoder's state and of an annotation."),
    "rate": _choice("Rate", RATES, "How far an update moves the parameters."),
    "batch": _choice("Batch", SIZES, "Sequences that one update learns from."),
    "updates": _choice("Maximum updates", MOST_UPDATES, "The run ends earlier when it reaches its goal."),
}
