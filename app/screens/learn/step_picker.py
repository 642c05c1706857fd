"""The step of a translation, or the word of a sentence, that a chapter looks at."""

from collections.abc import Callable

import streamlit as st

from app.visitor.question import opening_step
from app.wording import plain_markdown
from model.arithmetic.quantity import token_label
from model.trace import Trace


def choose_step(trace: Trace, key: str) -> int:
    """From 0, by the token that it produces; the middle one at first."""
    steps = range(len(trace.target))
    return choose(
        "A step, by the token that it writes",
        steps,
        opening_step(len(steps)) - 1,
        key,
        lambda step: token_label(trace.target[step]),
    )


def choose(label: str, places: range, first: int, key: str, told: Callable[[int], str]) -> int:
    """One of the places, from 0, each with its number and what is told of it; `first` where a link names none."""
    state = st.session_state
    if state.get(key, 0) not in places:
        state[key] = first
    state.setdefault(key, first)
    chosen = st.pills(
        label,
        places,
        required=True,
        key=key,
        bind="query-params",
        wrap=True,
        format_func=lambda place: f"{place + 1} {plain_markdown(told(place))}",
    )
    return first if chosen is None else chosen


def name(token: str) -> str:
    """A token in a sentence, as Markdown."""
    return f"**{plain_markdown(token_label(token))}**"
