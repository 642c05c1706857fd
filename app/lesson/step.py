"""The step of a translation that a chapter looks at."""

import streamlit as st

from app.session import opening_step
from app.wording import plain_markdown
from model.quantity import token_label
from model.trace import Trace


def choose_step(trace: Trace, key: str) -> int:
    """From 0, by the token that it produces; the middle one at first, and where a link names none that is there."""
    steps, state = range(len(trace.target)), st.session_state
    first = opening_step(len(steps)) - 1
    if state.get(key, 0) not in steps:
        state[key] = first
    state.setdefault(key, first)
    chosen = st.pills(
        "A step, by the token that it writes",
        steps,
        required=True,
        key=key,
        bind="query-params",
        wrap=True,
        format_func=lambda step: f"{step + 1} {plain_markdown(token_label(trace.target[step]))}",
    )
    return first if chosen is None else chosen


def name(token: str) -> str:
    """A token in a sentence, as Markdown."""
    return f"**{plain_markdown(token_label(token))}**"
