"""One page of the lesson: a chapter's text and picture, its question, the answer, and its interactive part."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.arithmetic.panel import arithmetic, show_clicked
from regard.app.components.phase_card.mount import phase_card
from regard.app.lesson.chapter import SIDES, Chapter, Phase, Prediction
from regard.app.visitor.question import telling_step
from regard.app.wording import plain_markdown
from regard.model.trace import Trace
from regard.model.transformer.trace import TransformerTrace

PLACES = range(3)
TO_COME = "After that, you can try it below."
AS_PREDICTED = ":material/check_circle: **As you predicted.**"
OTHERWISE = ":material/lightbulb: **Not this time.**"
HEADING = '<h3 class="part">Predict</h3>'
LOCKED = "<style>.st-key-live { display: none; }</style>"  # until something was predicted there is nothing to try
NO_AXES = "“{}” has no fingerprints to draw: `regard axes` measures them."
NO_QUESTION = "This sentence offers no question here. Type another one, such as “I love you.”"


def reading(chapter: Chapter) -> DeltaGenerator:
    """Draw the text and return the place of the picture, which is held from now on."""
    widths = chapter.picture.widths if chapter.picture else SIDES
    left, right = st.columns(widths, gap="large" if widths == SIDES else "medium", vertical_alignment="center")
    with left, st.container(key="text"):
        st.markdown(chapter.text)
    return right.container(key="picture").empty()  # Streamlit draws no container without an element


def picture(shown: Phase, lesson: Trace, opened: int, unanswered: bool) -> None:
    """Draw the picture that belongs to a chapter's text; any number in it can be opened.

    It is opened at a step, or if that is 0 at the one that tells most. While the question is unanswered the answer is
    left out there.
    """
    drawn = {}
    for named, trace in (shown.of if unanswered or shown.then is None else shown.then)(lesson).items():
        if isinstance(trace, TransformerTrace) or trace.maker.axes:
            drawn[named] = trace
        else:
            st.caption(NO_AXES.format(plain_markdown(trace.maker.name)))
    if drawn:
        traces = list(drawn.values())
        step, covered = opened or telling_step(traces[-1]), unanswered and shown.covers and shown.then is None
        phase_card(drawn, key="phase-card", phase=shown.name, step=step, covered=covered, inspect=show_clicked)
        arithmetic(traces)


@st.fragment
def touching(number: int, chapter: Chapter, lesson: Trace, asked: Prediction | None) -> None:
    """Draw the question, and the interactive part, which is hidden until a prediction is made, and the exercise."""
    if asked is None:
        st.info(NO_QUESTION)
    else:
        predict(number, asked)
        if st.session_state.lesson.choices[number - 1] is None:
            st.html(LOCKED)
    with st.container(border=True, key="live"):
        st.html(f'<h3 class="part">Try it</h3><p class="about">{chapter.task}</p>')
        chapter.live(lesson)
        if second := chapter.again(lesson):
            st.html('<h3 class="part">Predict once more</h3>')
            st.markdown(second.question)
            choice = _options(second, f"more-{number}-{second.question}")  # another question has no answer yet
            if choice is not None:
                _revealed(choice, second, "more-")
    chapter.exercise()


def predict(chapter: int, asked: Prediction) -> None:
    """Ask the question, or show the prediction and the result. Rerun the page if its marks have changed."""
    state, key = st.session_state, f"predicted-{chapter}"
    if state.pop("marked", False):
        st.rerun()
    choice = state.lesson.choices[chapter - 1]
    if choice is not None:
        state[key] = choice
    with st.container(border=True, key="question"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="asks"):
            st.markdown(HEADING, unsafe_allow_html=True, width="content")  # is drawn before what `st.html` draws
            if choice is None:
                st.caption(TO_COME, width="content")
        st.markdown(asked.question)
        with st.container(horizontal=True, vertical_alignment="center", key="choice"):
            option = _options(asked, key, disabled=choice is not None)
            if choice is None:
                icon, args = ":material/visibility:", (chapter, option, option == asked.right)
                name, off = f"reveal-{chapter}", option is None
                st.button("Reveal", icon=icon, key=name, disabled=off, on_click=_choose, args=args)
            else:
                name, icon, args = f"again-{chapter}", ":material/replay:", (chapter, None)
                st.button("Ask me again", type="tertiary", icon=icon, key=name, on_click=_choose, args=args)
        if choice is not None:
            _revealed(choice, asked)


def _options(asked: Prediction, key: str, disabled: bool = False) -> int | None:
    return st.radio(
        asked.question,
        PLACES,
        index=None,
        format_func=asked.options.__getitem__,
        key=key,
        disabled=disabled,
        label_visibility="collapsed",
        horizontal=True,
    )


def _revealed(choice: int, asked: Prediction, prefix: str = "") -> None:
    wrong = f"{OTHERWISE} You expected “{asked.options[choice]}”. {asked.instead[choice]}".strip()
    with st.container(key=f"{prefix}revealed-{'right' if choice == asked.right else 'surprise'}"):
        st.markdown(f"{AS_PREDICTED if choice == asked.right else wrong}\n\n{asked.answer}\n\n{asked.why}")


def settle(number: int, chapter: Chapter, lesson: Trace, asked: Prediction) -> None:
    """Forget a prediction made for another question or subject, and mark one from a link by the numbers."""
    about = (lesson.maker.name, lesson.alignment.source.text) if chapter.own or chapter.picture else ()
    subject, before = (*about, asked.question, *asked.options), st.session_state.setdefault("asked_before", {})
    progress = st.session_state.lesson
    if before.setdefault(number, subject) != subject:
        before[number] = subject
        st.session_state.pop(f"predicted-{number}", None)
        if progress.choices[number - 1] is not None:
            _choose(number, None)
            st.rerun()
    choice = progress.choices[number - 1]
    if choice is not None and number not in progress.marks:
        _choose(number, choice, choice == asked.right)
        st.rerun()


def _choose(chapter: int, choice: int | None, right: bool = False) -> None:
    state = st.session_state
    state.lesson, state.marked = state.lesson.answered(chapter, choice, right), True
    if choice is None:
        state.pop(f"predicted-{chapter}", None)
