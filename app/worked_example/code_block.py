"""Python code on a page."""

from pathlib import Path

import streamlit as st

STYLE = Path(__file__).with_name("code_block.css")


def source(text: str) -> None:
    """Draw the lines; long ones are wrapped, because a keyboard could not scroll to their end."""
    st.html(STYLE)
    st.code(text, language="python", wrap_lines=True)
