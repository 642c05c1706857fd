"""One page of the lesson: a chapter's text and diagram, its question and its interactive part."""

from html import escape
from pathlib import Path

import streamlit as st

from regard.app.figures.lesson.svg import PALETTES
from regard.app.screens.learn.chapter import Chapter, Reading
from regard.app.screens.learn.prediction import predict
from regard.app.screens.learn.subject import Subject

LOCKED = Path(__file__).with_name("locked.css")
NO_QUESTION = "Nothing can be asked of this sentence here. Type another one, such as “I love you.”"


def reading(read: Reading) -> None:
    """Draw the text with its diagram beside it."""
    left, right = st.columns([7, 5], gap="large", vertical_alignment="center")
    with left, st.container(key="text"):
        st.markdown(read.text)
    picture = read.diagram(PALETTES[st.context.theme.type or "light"])
    told = f'<div class="diagram" role="img" aria-label="{escape(read.alt)}">{picture}</div>'
    right.markdown(told, unsafe_allow_html=True)  # st.html would leave the picture out, and st.image the page's font


@st.fragment
def touching(number: int, chapter: Chapter, lesson: Subject) -> None:
    """Draw the question, the interactive part whose numbers answer it, and the exercise on paper.

    The interactive part runs first, because the question follows from it, and is hidden until a prediction is made.
    """
    asking = st.container()
    with st.container(border=True, key="live"):
        st.html(f'<h3 class="part">Try it</h3><p class="about">{chapter.task}</p>')
        asked = chapter.live(lesson)
    with asking:
        if asked is None:
            st.info(NO_QUESTION)
        else:
            predict(number, asked, (lesson.model.name, lesson.sentence) if chapter.own else ())
            if st.session_state.lesson.answers[number - 1] is None:
                st.html(LOCKED)
    chapter.exercise()
