"""The stepper as a Streamlit component: its core, and what connects it to the page and to Python."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import streamlit as st
from streamlit.components.v2 import component

from app.components.shared.assets import joined
from app.components.shared.head import Head
from app.components.stepper import core
from app.components.stepper.core import HERE
from app.components.stepper.payload import payload
from model.trace import Trace


class Change(NamedTuple):
    """How a translation is changed: whether before and after stand side by side, who hears of changes, what was heard
    so far, and who hears of weights while they are dragged.

    `hear` gets a list of changes, each with a `number` that grows and perhaps some that were heard before, so that none
    is lost where several come at once. They are from a stranger.
    """

    open: bool
    hear: Callable[[object], None]
    heard: int
    preview: Callable[[object], None]


def stepper(
    traces: Sequence[Trace], *, heads: Sequence[Head] = (), key: str, step: int, units: str, rows: str, large: bool
) -> dict[str, Any] | None:
    """Mount the stepper. Returns the number that was clicked, in the run that the click starts, and None in others.

    `heads` stand above the traces, one for each or none. `step` counts from 1; 0 is the decoder's initial state, −S to
    −1 the encoder's reading; anything else is clamped. The settings say where to open: a person goes on from there, and
    only a changed setting or another sentence moves the view. A number is named by `trace`, `kind` and its indices, all
    from 0 (`step` is −1 for the initial state), and has a `nonce` that grows with every click.
    """
    return drawn_stepper(payload(traces, heads), key=key, step=step, units=units, rows=rows, large=large)


def drawn_stepper(
    drawn: Mapping[str, object], *, key: str, step: int, units: str, rows: str, large: bool
) -> dict[str, Any] | None:
    """Mount the stepper for what `payload` drew, such as weights alone (`payload.of_alignment`)."""
    data = {**drawn, "step": step, "units": units, "rows": rows, "large": large}
    callbacks = {"on_inspect_change": _nothing, "on_edit_change": _nothing, "on_preview_change": _nothing}
    return _component()(key=key, data=data, **callbacks).inspect


def changing_stepper(
    drawn: Mapping[str, object], *, key: str, step: int, units: str, rows: str, large: bool, change: Change
) -> dict[str, Any] | None:
    """Mount the stepper for a translation that can be changed, `drawn` being what `payload.changeable` makes of it."""
    settings = {"step": step, "units": units, "rows": rows, "large": large}
    data = {**drawn, **settings, "edit": change.open, "heard": change.heard}
    hear, preview = partial(_hear, key, "edit", change.hear), partial(_hear, key, "preview", change.preview)
    drawn_by = _component()
    return drawn_by(
        key=key, data=data, on_inspect_change=_nothing, on_edit_change=hear, on_preview_change=preview
    ).inspect


@cache
def _component() -> Any:
    script = "\n".join([core.script(), joined(HERE, "js", ("saving", "picture", "keeping", "streamlit"))])
    return component("regard_stepper", js=script, css="\n".join([core.style(), joined(HERE, "css", ("saving",))]))


def _hear(key: str, name: str, hear: Callable[[object], None]) -> None:
    hear(st.session_state[key][name])


def _nothing() -> None:
    """A trigger without a callback would not be an attribute of the result."""
