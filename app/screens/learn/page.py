"""One page of the lesson: a chapter's text and picture, its question and its interactive part."""

from html import escape
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.arithmetic.panel import arithmetic, show_clicked
from regard.app.components.phase_card.mount import phase_card
from regard.app.figures.lesson import PALETTES
from regard.app.screens.learn.chapter import SIDES, Chapter, Diagram, Phase, Prediction, Reading
from regard.app.screens.learn.prediction import predict
from regard.app.screens.learn.subject import Subject
from regard.app.visitor.question import telling_step
from regard.app.wording import plain_markdown
from regard.model.transformer.trace import TransformerTrace

LOCKED = Path(__file__).with_name("locked.css")
NO_AXES = "“{}” has no fingerprints to draw: `regard axes` measures them."
NO_QUESTION = "This sentence offers no question here. Type another one, such as “I love you.”"


def reading(read: Chapter | Reading) -> DeltaGenerator:
    """Draw the text and return the place of the picture, which is held from now on."""
    widths = read.picture.widths if isinstance(read.picture, Phase) else SIDES
    left, right = st.columns(widths, gap="large" if widths == SIDES else "medium", vertical_alignment="center")
    with left, st.container(key="text"):
        st.markdown(read.text)
    return right.container(key="picture").empty()  # Streamlit draws no container without an element


def question(shown: Diagram | Phase, lesson: Subject) -> Prediction | None:
    """Return the question about the picture, or None."""
    return shown.asked(lesson) if isinstance(shown, Phase) else None


def picture(shown: Diagram | Phase, lesson: Subject, opened: int, covered: bool) -> None:
    """Draw the picture that belongs to a chapter's text; any number in a phase can be opened.

    A phase is opened at a step, or if that is 0 at the one that tells most; `covered` leaves out the answer there.
    """
    if isinstance(shown, Diagram):
        drawn = shown.draw(PALETTES[st.context.theme.type or "light"])
        told = f'<div class="diagram" role="img" aria-label="{escape(shown.alt)}">{drawn}</div>'
        st.markdown(told, unsafe_allow_html=True)  # st.html would leave the picture out, and st.image the page's font
        return
    drawn = {}
    for named, trace in (shown.of if covered or shown.then is None else shown.then)(lesson).items():
        if isinstance(trace, TransformerTrace) or trace.maker.axes:
            drawn[named] = trace
        else:
            st.caption(NO_AXES.format(plain_markdown(trace.maker.name)))
    if drawn:
        traces = list(drawn.values())
        step = opened or telling_step(traces[-1])
        phase_card(
            drawn,
            key="phase-card",
            phase=shown.name,
            step=step,
            covered=covered and shown.then is None,
            inspect=show_clicked,
        )
        arithmetic(traces)


def about(chapter: Chapter, lesson: Subject, seen: Prediction | None) -> tuple[str, ...]:
    """Return what a prediction is about beside its question: model and sentence where they matter."""
    return (lesson.model.name, lesson.sentence) if chapter.own or seen else ()


@st.fragment
def touching(number: int, chapter: Chapter, lesson: Subject, seen: Prediction | None) -> None:
    """Draw the question, the interactive part whose numbers answer it, and the exercise on paper.

    The interactive part runs first, because the question follows from it unless the picture has one, `seen`. It is
    hidden until a prediction is made.
    """
    asking = st.container()
    with st.container(border=True, key="live"):
        st.html(f'<h3 class="part">Try it</h3><p class="about">{chapter.task}</p>')
        asked = chapter.live(lesson) or seen
    with asking:
        if asked is None:
            st.info(NO_QUESTION)
        else:
            predict(number, asked, about(chapter, lesson, seen))
            if st.session_state.lesson.answers[number - 1] is None:
                st.html(LOCKED)
    chapter.exercise()
