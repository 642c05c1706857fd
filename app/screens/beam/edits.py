"""What a visitor has added by hand to the search in one sentence: in the page's link, and kept for another width."""

import streamlit as st

from app.visitor.question import Question
from model.decoding.beam_edits import AddedPrefix, read, written

LINKED = "expanded"  # the link's name for it


def recall(question: Question) -> tuple[AddedPrefix, ...]:
    """What was added to the search in this sentence; a visitor who has just come brings it in the link."""
    subject = question.model, question.sentence
    known, text = st.session_state.get("by_hand", (subject, st.query_params.get(LINKED, "")))
    entries = read(text) if known == subject else ()
    remember(question, entries)
    return entries


def remember(question: Question, entries: tuple[AddedPrefix, ...]) -> None:
    """From now on this is added, and the link says so."""
    text = written(entries)
    st.session_state.by_hand = (question.model, question.sentence), text
    if text:
        st.query_params[LINKED] = text
    elif LINKED in st.query_params:
        del st.query_params[LINKED]
