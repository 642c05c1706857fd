"""Dialogs: one at a time, as Streamlit allows, though two of their buttons may be pressed before the page is drawn."""

import streamlit as st

OPENERS = ("glossary-open", "about-open", "take-along")  # keys of the buttons, in the order in which they are drawn


def is_first(opener: str) -> bool:
    """Whether this button, of those that were pressed, comes first."""
    return not any(st.session_state.get(before) for before in OPENERS[: OPENERS.index(opener)])
