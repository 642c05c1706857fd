"""Sample picker: the open sample, and the open draw."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from regard.app.visitor.question import opening_step
from regard.app.visitor.step_picker import as_markdown, choose
from regard.model.decoding.sampling import Sample
from regard.model.trace import AnyTrace

LINK = "sample"  # counted from 1 in the link


def chosen_sample(samples: Sequence[Sample[AnyTrace]], greedy: AnyTrace) -> int:
    """Return the chosen sample, from this visit or the link, or else the first that is not greedy."""
    state, link = st.session_state, st.query_params.get(LINK, "")
    if "sample" not in state:
        state.sample = int(link) - 1 if link.isdecimal() and 0 < len(link) < 4 else -1
    if 0 <= state.sample < len(samples):
        if link != str(state.sample + 1):
            st.query_params[LINK] = str(state.sample + 1)
        return state.sample
    others = [index for index, sample in enumerate(samples) if sample.trace.text != greedy.text]
    return others[0] if others else 0


def choose_draw(sample: Sample[AnyTrace], subject: Any, asked: int | None) -> int:
    """Choose the draw to look at, from 0. A new `subject` opens at the first token that was not the likeliest. `asked`
    is the step in the link of a first visit, from 1."""
    state, steps = st.session_state, range(len(sample.draws))
    if state.get("draw_subject") != subject or state.get("draw_step") not in steps:
        surprising = [step for step, drawn in enumerate(sample.draws) if drawn.place]
        opening = surprising[0] if surprising else opening_step(len(steps)) - 1
        linked = 0 if asked is None or "draw_subject" in state else asked  # a link counts from 1
        state.draw_step = linked - 1 if linked - 1 in steps else opening
        state.draw_subject = subject
    return choose(
        "Choose a token to see its draw; tokens in bold were not the likeliest",
        steps,
        state.draw_step,
        "draw_step",
        lambda step: _label(sample, step),
        bind=None,
    )


def _label(sample: Sample[AnyTrace], step: int) -> str:
    token = as_markdown(sample.trace.target[step])
    return f"**{token}**" if sample.draws[step].place else token
