"""Preview: while weights are dragged, what the model would write with them, sent to the browser as it is computed.

A component of its own carries it, so that the stepper's numbers are not sent again each time.
"""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from regard.app.components.stepper.payload import next_tokens
from regard.app.input_validation.component_messages import SentPreview
from regard.app.models import models
from regard.app.screens.translate.what_if.session import WhatIfSession, shown
from regard.model.changes import what_if
from regard.model.changes.edits import Asked, made
from regard.model.input_error import InputError

SCRIPT = Path(__file__).with_name("preview.js")
FRAGMENT = "preview"


def hear(sent: SentPreview) -> None:
    """Answer what the browser asks. Weights that cannot be are left without numbers."""
    st.session_state.preview = {"nonce": sent.nonce, **_tried(st.session_state.what_if, sent)}
    st.rerun(FRAGMENT)


@st.fragment(key=FRAGMENT)
def answer() -> None:
    """Send the last answer, if there is any."""
    with st.container(key="preview"):
        if "preview" in st.session_state:
            _component()(key="preview-answer", data=st.session_state.preview)


def _tried(session: WhatIfSession, sent: SentPreview) -> dict[str, object]:
    model = models.any_pretrained(session.about.model)
    try:
        place = {"attention": sent.attention, "layer": sent.layer, "head": sent.head} if sent.attention else {}
        changes = made(
            {"kind": "head_weights" if place else "weights", **place, "step": sent.step, "row": sent.row},
            Asked(model.tokenizer, session.about.sentence, shown(session)),
        )
        trace = what_if.translate(model, session.about.sentence, changes, session.about.given)
    except InputError:
        return {}
    return {"text": trace.text, **next_tokens(trace, sent.step)}


@cache
def _component() -> Any:
    return component("regard_preview", js=SCRIPT.read_text(encoding="utf-8"))
