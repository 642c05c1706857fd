"""Translating: the rest of a text in pieces, with the time left; finished pieces stay if the visitor leaves."""

from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.visitor.translated_text import PIECE, TranslatedText, translate_piece


def translate_rest(held: TranslatedText, model: str, place: DeltaGenerator) -> None:
    """Translate the lines that one model has not translated yet, then redraw the page; a person may stop and go on."""
    waiting, total = held.pending(model), len(held.text.lines)
    if not waiting:
        return
    with place.container(horizontal=True, vertical_alignment="center", key="progress"):
        if not held.going:
            st.html(f'<p class="about">Stopped: {total - len(waiting):,} of {total:,} sentences are translated.</p>')
            st.button("Go on", on_click=held.resume, key="go-on")
            return
        bar = st.progress(0.0)
        st.button("Cancel", on_click=held.stop, key="cancel")
    began = perf_counter()
    for start in range(0, len(waiting), PIECE):
        bar.progress((total - len(waiting) + start) / total, _told(start, len(waiting), total, perf_counter() - began))
        translate_piece(held, model, waiting[start : start + PIECE])
    st.rerun()


def _told(done: int, waiting: int, total: int, seconds: float) -> str:
    """Say how many sentences are translated, and about how long the rest takes."""
    left = f", about {seconds / done * (waiting - done):.0f} s left" if done else ""
    return f"{total - waiting + done:,} of {total:,} sentences translated{left}"
