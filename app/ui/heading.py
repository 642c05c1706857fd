"""Heading: the title at the top of every screen."""

import streamlit as st

from regard.app.visitor.fields import model_field
from regard.app.visitor.question import Question


def heading(title: str, text: str = "") -> None:
    """Draw the screen's name, and one or two sentences about it; both are HTML."""
    st.html(f"<header class='regard'><h1>{title}</h1>{f'<p>{text}</p>' if text else ''}</header>")


def question_heading(asked: Question, title: str, text: str) -> None:
    """Draw the heading of a screen about one model, with the choice of the model beside it."""
    with st.container(horizontal=True, vertical_alignment="center", key="header"):
        heading(title, text)
        model_field(asked)
