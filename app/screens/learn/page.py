"""One page of the lesson: a chapter's text and diagram, what can be touched, and its question."""

from pathlib import Path

import streamlit as st

from app.figures.lesson.svg import PALETTES
from app.screens.learn.chapter import Chapter
from app.screens.learn.prediction import predict
from app.screens.learn.subject import Subject

STYLE = Path(__file__).with_name("lesson.css")
NO_QUESTION = "Nothing can be asked of this sentence here. Type another one, such as “I love you.”"


def reading(chapter: Chapter) -> None:
    """The text, with its diagram beside it."""
    left, right = st.columns([6, 5], gap="large", vertical_alignment="center")
    with left, st.container(key="text"):
        st.markdown(chapter.text)
    palette = PALETTES[st.context.theme.type or "light"]
    right.image(chapter.diagram(palette), width="stretch", alt=chapter.alt)


@st.fragment
def touching(number: int, chapter: Chapter, lesson: Subject) -> None:
    """The live part, the question that its numbers answer, and what can be computed on paper."""
    with st.container(border=True, key="live"):
        st.html(f'<h3 class="part">Try it</h3><p class="about">{chapter.task}</p>')
        asked = chapter.live(lesson)
    if asked is None:
        st.info(NO_QUESTION)
    else:
        predict(number, asked, (lesson.model.name, lesson.sentence) if chapter.own else ())
    chapter.exercise()
