"""The list of changes beside the examples: each in plain words and removable, with the way back."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.screens.translate.what_if.state import TranslateState, go, put, state, take_refusal
from regard.app.ui.plots import download
from regard.app.wording import plain_markdown
from regard.model.changes.intervention import UNTOUCHED
from regard.model.changes.marks import change_texts
from regard.model.changes.session import History
from regard.model.trace import AnyTrace

ICONS = {"undo": "undo", "redo": "redo", "reset": "restart_alt"}
FILE = "intervention.json"  # for `regard translate --intervention`


def bar(before: AnyTrace, after: AnyTrace, room: DeltaGenerator) -> None:
    """Draw the list into its room, and why the last change was refused."""
    now, refused = state(), take_refusal()
    with st.bottom, st.container(key="changes"):
        if refused:
            st.error(plain_markdown(f"This change was not made: {refused}"))
    history = now.session.history
    if history.past or history.future:
        with room, st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="changes-list"):
            _ways(history)
            _list(now, before, after)


def _ways(history: History) -> None:
    """Undo, redo, reset, and the file for the command line."""
    open_ways = {"undo": history.past, "redo": history.future, "reset": history.present != UNTOUCHED}
    for way, possible in open_ways.items():
        icon = f":material/{ICONS[way]}:"
        st.button(way.capitalize(), icon=icon, type="tertiary", disabled=not possible, on_click=go, args=(way,))
    download(
        "Download",
        history.present.to_json(),
        FILE,
        f"For the command line: `regard translate --intervention {FILE}`",
        quiet=True,
        disabled=history.present == UNTOUCHED,
    )


def _list(now: TranslateState, before: AnyTrace, after: AnyTrace) -> None:
    translator = now.about.translator
    changes = change_texts(translator.tokenizer, translator.sentence, before, after)
    if not changes:
        st.html('<p class="about">Nothing is changed.</p>', width="content")
    for place, change in enumerate(changes):
        st.button(
            plain_markdown(change.text),
            icon=":material/close:",
            key=f"change-{place}",
            help="Remove this change",
            on_click=put,
            args=(change.without,),
        )
