"""Heading: the title at the top of every screen."""

import streamlit as st


def heading(title: str, text: str = "") -> None:
    """Draw the screen's name, and one or two sentences about it; both are HTML."""
    st.html(f"<header class='regard'><h1>{title}</h1>{f'<p>{text}</p>' if text else ''}</header>")
