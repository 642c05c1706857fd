"""Definitions: the meaning of a number on screen, its formula, shape and source, one click away; all in a drawer.

Streamlit allows one dialog at a time, although two buttons may be pressed before the page is drawn.
"""

import streamlit as st

from regard.app.glossary.terms import (
    DEFINITIONS,
    QUERY_CHARACTERS,
    SHOWN_TERMS,
    SUGGESTED,
    close,
    definition_text,
    matching,
)
from regard.app.navigation import script
from regard.app.wording import plain_markdown

GLOSSARY = "screens/glossary/screen.py"


def definitions(*names: str) -> None:
    """Draw a row of terms; each opens its definition."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"define-{'-'.join(names)}"):
        st.html('<p class="about">What is</p>', width="content")
        for name in names:
            known = DEFINITIONS[name]
            with st.popover(known.term, type="tertiary", width="content"):
                st.markdown(definition_text(known))
                st.page_link(GLOSSARY, label="In the glossary", query_params={"term": name})


@st.dialog("Glossary", width="medium", position="right")
def glossary(screen: str) -> None:
    """Draw a drawer on the right; Escape closes it."""
    typed = st.text_input(
        "Find a term",
        key="glossary-find",
        type="search",
        live=True,
        max_chars=QUERY_CHARACTERS,
        placeholder="such as context, hidden state or BLEU",
    )
    st.page_link(script("glossary"), label=f"All {len(DEFINITIONS)} terms")
    with st.container(key="defined"):
        for name in chosen(typed, screen):
            with st.container():
                st.html(f"<h3>{DEFINITIONS[name].term}</h3>")
                st.markdown(definition_text(DEFINITIONS[name]))


def chosen(typed: str, screen: str) -> list[str]:
    """Return the names of matching terms, or the screen's own if nothing was typed."""
    if not typed.strip():
        here = [name for name, known in DEFINITIONS.items() if known.seen == screen]
        return here[:SHOWN_TERMS] or list(SUGGESTED)
    names = matching(typed, DEFINITIONS)[:SHOWN_TERMS]
    if not names:
        st.info(f"No term has “{plain_markdown(typed)}”. Here are some to try.")
    return names or close(typed, DEFINITIONS) or list(SUGGESTED)


OPENERS = ("glossary-open", "about-open", "take-along", "door-home")  # keys of the buttons, in drawing order


def is_first(opener: str) -> bool:
    """True if this button comes first among those that were pressed."""
    return not any(st.session_state.get(before) for before in OPENERS[: OPENERS.index(opener)])
