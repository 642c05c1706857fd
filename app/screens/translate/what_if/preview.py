"""Preview: while weights are dragged, what the model would write with them, sent to the browser as it is computed.

A separate component carries it, so that the stepper's numbers are not sent again each time.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from regard.app.components.stepper.labels import goes_on, label, likeliest_labels
from regard.app.input_validation.component_messages import SentPreview
from regard.app.models import models
from regard.app.screens.translate.what_if.state import TranslateState, state
from regard.model.changes import what_if
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace

SCRIPT = Path(__file__).with_name("preview.js")
FRAGMENT = "preview"


def hear(sent: SentPreview) -> None:
    """Answer a preview request of the browser; invalid weights get an answer without numbers."""
    send({"nonce": sent.nonce, **_preview(state(), sent)})


def send(answer: Mapping[str, object]) -> None:
    """Send the browser an answer and draw nothing else, in a callback."""
    st.session_state.what_if = replace(state(), preview=answer)
    st.rerun(FRAGMENT)


@st.fragment(key=FRAGMENT)
def answer() -> None:
    """Send the last answer, if there is any."""
    with st.container(key="preview"):
        if preview := state().preview:
            _component()(key="preview-answer", data=preview)


def _preview(now: TranslateState, sent: SentPreview) -> dict[str, object]:
    """Return what the model would write with these weights; neither they nor the translation are kept."""
    about, session = now.about, now.session
    place = {"attention": sent.attention, "layer": sent.layer, "head": sent.head} if sent.attention else {}
    edit = {"kind": "head_weights" if place else "weights", **place, "step": sent.step, "row": sent.row}
    try:
        changes = about.translator.edited(edit, session.history.present)
        trace = what_if.translate(models.any_pretrained(about.model), about.sentence, changes, about.given)
    except InputError:
        return {}
    return {"text": trace.text, **(_next_tokens(trace, sent.step) if sent.step < len(trace.target) else {})}


def _next_tokens(trace: AnyTrace, step: int) -> dict[str, object]:
    """Return the likeliest next tokens of one step (from 0), the rest for all others, and the token that is written."""
    likeliest, written = trace.top_ids[step].tolist(), int(trace.target_ids[step])
    return {
        "labels": likeliest_labels(trace.top_tokens[step]),
        "probabilities": trace.top_probabilities[step].tolist(),
        "rest": float(trace.rest[step]),
        "written": label(trace.target[step], goes_on(trace.target[step])),
        "rank": likeliest.index(written) if written in likeliest else -1,
        "log_probability": float(trace.log_probabilities[step]),
    }


@cache
def _component() -> Any:
    return component("regard_preview", js=SCRIPT.read_text(encoding="utf-8"))
