"""Dialogs: one at a time, as Streamlit allows, though two buttons may be pressed before the page is drawn."""

import streamlit as st

OPENERS = ("glossary-open", "about-open", "take-along")  # keys of the buttons, in drawing order


def is_first(opener: str) -> bool:
    """True if this button comes first among those that were pressed."""
    return not any(st.session_state.get(before) for before in OPENERS[: OPENERS.index(opener)])
