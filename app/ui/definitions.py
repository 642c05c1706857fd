"""Definitions: the meaning of a number on screen, its formula, shape and source, one click away."""

import streamlit as st

from regard.app.glossary.definition import definition_text
from regard.app.glossary.themes import DEFINITIONS

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
