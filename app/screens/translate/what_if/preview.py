"""While weights are dragged: what the model would write with them, sent to the browser as it is computed.

A component of its own carries it, so that the stepper's numbers are not sent again each time.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from app.components.stepper.payload import next_tokens
from app.models import models
from app.screens.translate.what_if.edits import Asked, made
from app.screens.translate.what_if.session import WhatIfSession, shown
from model import what_if

SCRIPT = Path(__file__).with_name("preview.js")
FRAGMENT = "preview"


def hear(sent: object) -> None:
    """Answer what the browser asks: weights of a step, with a nonce. What is not in order is left without numbers."""
    if not isinstance(sent, Mapping):
        return
    nonce = sent.get("nonce")
    st.session_state.preview = {"nonce": nonce, **_tried(st.session_state.desk, sent)}
    st.rerun(FRAGMENT)


@st.fragment(key=FRAGMENT)
def answer() -> None:
    """Send the last answer, if there is any."""
    with st.container(key="preview"):
        if "preview" in st.session_state:
            _component()(key="preview-answer", data=st.session_state.preview)


def _tried(desk: WhatIfSession, sent: Mapping[str, object]) -> dict[str, object]:
    model, step = models.pretrained(desk.about.model), sent.get("step")
    try:
        changes = made(
            {"kind": "weights", "step": step, "row": sent.get("row")},
            Asked(model.tokenizer, desk.about.sentence, shown(desk)),
        )
        trace = what_if.translate(model, desk.about.sentence, changes, desk.about.given)
    except ValueError:
        return {}
    return {"text": trace.text, **next_tokens(trace, step)} if isinstance(step, int) else {}


@cache
def _component() -> Any:
    return component("regard_preview", js=SCRIPT.read_text(encoding="utf-8"))
