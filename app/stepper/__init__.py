"""The stepper: traces side by side on one shared step, drawn and stepped in the browser without asking the server.

Its core is plain JavaScript that knows no Streamlit. The files below are read in order into one module; the last one
connects the core to Streamlit, a page without Streamlit takes the others and calls `mount` itself.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from streamlit.components.v2 import component

from app.stepper.head import Head
from app.stepper.payload import payload
from model.trace import Trace

HERE = Path(__file__).parent
PARTS = (
    "numbers",
    "elements",
    "reading",
    "sentence",
    "heatmap",
    "strip",
    "bars",
    "likely",
    "panel",
    "controls",
    "head",
    "stepper",
)
SHEETS = ("stepper", "sentence", "heatmap", "panel", "controls", "sizes", "columns")


def script() -> str:
    """The core as one piece of JavaScript, whose `mount(parent, data, {onInspect, onView})` draws into an element."""
    return "\n".join((HERE / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)


def style() -> str:
    """What the core's elements look like, in light and dark."""
    return "\n".join((HERE / f"{sheet}.css").read_text(encoding="utf-8") for sheet in SHEETS)


def stepper(
    traces: Sequence[Trace], *, heads: Sequence[Head] = (), key: str, step: int, units: str, rows: str, large: bool
) -> dict[str, Any] | None:
    """Mount the stepper. Returns the number that was clicked, in the run that the click starts, and None in others.

    `heads` stand above the traces, one for each or none. `step` counts from 1; 0 is the decoder's initial state, −S to
    −1 the encoder's reading; anything else is clamped. The settings say where to open: a person goes on from there, and
    only a changed setting or another sentence moves the view. A number is named by `trace`, `kind` and its indices, all
    from 0 (`step` is −1 for the initial state), and has a `nonce` that grows with every click.
    """
    data = payload(traces, heads) | {"step": step, "units": units, "rows": rows, "large": large}
    return _component()(key=key, data=data, on_inspect_change=_nothing).inspect


@cache
def _component() -> Any:
    adapter = (HERE / "streamlit.js").read_text(encoding="utf-8")
    return component("regard_stepper", js=f"{script()}\n{adapter}", css=style())


def _nothing() -> None:
    """A trigger without a callback would not be an attribute of the result."""
