"""The choice of a translation's step by its token."""

from collections.abc import Callable

import streamlit as st

from regard.app.visitor.question import Question, telling_step
from regard.app.wording import plain_markdown
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace


def choose(
    label: str,
    places: range,
    first: int,
    key: str,
    shown: Callable[[int], str],
) -> int:
    """Choose a place, from 0, labelled by number and Markdown; `first` if the link names none."""
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
        format_func=lambda place: f"{place + 1} {shown(place)}",
    )
    if chosen is None:  # after going back to a link without one
        del state[key]
        st.rerun()
    return chosen


def choose_step(trace: AnyTrace, question: Question) -> int:
    """Choose the step to view, from 0: by its token, by two buttons, or by the arrow keys."""
    state, steps, opening = st.session_state, range(len(trace.target)), telling_step(trace) - 1
    subject = question.model, question.sentence, question.given
    if state.setdefault("explained", subject) != subject:
        state.explained, state.token = subject, opening
    step = choose(
        "Choose a step by the token it produces", steps, opening, "token", lambda step: as_markdown(trace.target[step])
    )
    with st.container(horizontal=True, vertical_alignment="center", key="stepping"):
        st.button("Previous", on_click=_move, args=(step - 1,), shortcut="Left", disabled=step == steps[0])
        st.button("Next", on_click=_move, args=(step + 1,), shortcut="Right", disabled=step == steps[-1])
        st.markdown(
            f"Step {step + 1} of {len(steps)} {'is given' if question.given else 'produces'} "
            f"**{as_markdown(trace.target[step])}**",
            width="content",
        )
    return step


def as_markdown(token: str) -> str:
    """Return a token as a person reads it, with every punctuation mark escaped."""
    return plain_markdown(token_label(token))


def _move(step: int) -> None:
    st.session_state.token = step
