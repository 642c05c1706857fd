"""One page of the lesson: a chapter's text and picture, its question and its interactive part."""

from html import escape
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.arithmetic.panel import arithmetic, show_clicked
from regard.app.components.phase_card.mount import phase_card
from regard.app.figures.lesson.svg import PALETTES
from regard.app.models.models import title
from regard.app.screens.learn.chapter import Chapter, Diagram, Phase, Reading
from regard.app.screens.learn.prediction import predict
from regard.app.screens.learn.subject import Subject
from regard.app.visitor.question import telling_step
from regard.app.wording import plain_markdown

LOCKED = Path(__file__).with_name("locked.css")
NO_AXES = "“{}” has no fingerprints to draw: `regard axes` measures them."
NO_QUESTION = "This sentence offers no question here. Type another one, such as “I love you.”"


def reading(read: Chapter | Reading) -> DeltaGenerator:
    """Draw the text and return the place beside it."""
    wide = isinstance(read.picture, Phase) and read.picture.wide
    left, right = st.columns(
        [5, 11] if wide else [7, 5], gap="medium" if wide else "large", vertical_alignment="center"
    )
    with left, st.container(key="text"):
        st.markdown(read.text)
    return right


def picture(shown: Diagram | Phase, lesson: Subject) -> None:
    """Draw the picture that belongs to a chapter's text; any number in a phase can be opened."""
    if isinstance(shown, Diagram):
        drawn = shown.draw(PALETTES[st.context.theme.type or "light"])
        told = f'<div class="diagram" role="img" aria-label="{escape(shown.alt)}">{drawn}</div>'
        st.markdown(told, unsafe_allow_html=True)  # st.html would leave the picture out, and st.image the page's font
        return
    drawn = []
    for trace in shown.of(lesson):
        if trace.maker.axes:
            drawn.append(trace)
        else:
            st.caption(NO_AXES.format(plain_markdown(trace.maker.name)))
    if drawn:
        named = {title(trace.maker.name): trace for trace in drawn}
        phase_card(named, key="phase-card", phase=shown.name, step=telling_step(drawn[-1]), inspect=show_clicked)
        arithmetic(drawn)


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
