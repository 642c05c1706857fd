"""A phase card as a Streamlit component: one phase of a translation's steps, with this trace's numbers.

`streamlit.js` draws it with the modules of the network's picture and hears which number is clicked.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from regard.app.components.shared.modules import script, style
from regard.app.components.shared.packed import pack
from regard.app.components.shared.served import served
from regard.app.components.stepper import core
from regard.app.components.stepper.payload import payload
from regard.app.input_validation.component_messages import SentQuantity, read
from regard.model.trace import Trace

NAME = "regard_phase_card"


def phase_card(trace: Trace, *, key: str, phase: str, step: int, inspect: Callable[[SentQuantity], None]) -> None:
    """Mount the card of a phase, opened at `step`, from 1. `inspect` is told which number was clicked."""

    def hear() -> None:
        clicked = read(NAME, "inspect", st.session_state.get(key, {}).get("inspect"))
        if clicked is not None:
            inspect(clicked)

    data = pack(payload([trace])).message({"phase": phase, "step": step})
    mounted()(key=key, data=data, on_inspect_change=hear)


@cache
def mounted() -> Any:
    """The component, registered once."""
    here = Path(__file__).parent
    return served("phase_card", script(here / "streamlit.js"), f"{core.style()}\n{style(here, ('card',))}")
