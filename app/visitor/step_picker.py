"""The step of a translation that a screen is about."""

import streamlit as st

from app.visitor.question import Question, telling_step
from app.wording import plain_markdown
from model.arithmetic.quantity import token_label
from model.trace import Trace


def choose_step(found: Trace, question: Question) -> int:
    """The step to look at, from 0: the tokens that were produced, two buttons, and the arrow keys."""
    state, steps = st.session_state, range(len(found.target))
    subject = question.model, question.sentence, question.given
    if state.setdefault("explained", subject) != subject or state.get("token", 0) not in steps:
        state.explained, state.token = subject, telling_step(found) - 1
    state.setdefault("token", telling_step(found) - 1)
    chosen = st.pills(
        "Choose a step by the token it produces",
        steps,
        required=True,
        key="token",
        bind="query-params",
        wrap=True,
        format_func=lambda t: f"{t + 1} {plain_markdown(token_label(found.target[t]))}",
    )
    step = telling_step(found) - 1 if chosen is None else chosen  # none after going back to a link without one
    with st.container(horizontal=True, vertical_alignment="center", key="stepping"):
        st.button("Previous", on_click=_move, args=(step - 1,), shortcut="Left", disabled=step == steps[0])
        st.button("Next", on_click=_move, args=(step + 1,), shortcut="Right", disabled=step == steps[-1])
        st.markdown(
            f"Step {step + 1} of {len(steps)} {'is given' if question.given else 'produces'} "
            f"**{plain_markdown(token_label(found.target[step]))}**",
            width="content",
        )
    return step


def _move(step: int) -> None:
    st.session_state.token = step
