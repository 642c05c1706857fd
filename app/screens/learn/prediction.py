"""A question of the lesson: first the prediction, then the answer in numbers."""

import streamlit as st

from regard.app.screens.learn.chapter import Prediction
from regard.app.screens.learn.progress import Answer

PLACES = range(3)
TO_COME = "Then you can try it here."
HEADING = '<h3 class="part">Predict</h3>'


def predict(chapter: int, asked: Prediction, about: tuple[str, ...]) -> None:
    """Ask the question, or show the prediction and the result. Rerun the page if its marks have changed. A prediction
    belongs to one question about one subject; `about` names the subject where the question does not."""
    state, key = st.session_state, f"predicted-{chapter}"
    if state.pop("marked", False):
        st.rerun()
    settle(chapter, asked, about)
    answer = state.lesson.answers[chapter - 1]
    if answer is not None:
        state[key] = answer.choice
    with st.container(border=True, key="question"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="asks"):
            st.markdown(HEADING, unsafe_allow_html=True, width="content")  # is drawn before what `st.html` draws
            if answer is None:
                st.caption(TO_COME, width="content")
        st.markdown(asked.question)
        _choice(chapter, asked, key, open_=answer is None)
        if answer is not None:
            _revealed(answer, asked)


def settle(chapter: int, asked: Prediction, about: tuple[str, ...]) -> None:
    """Forget a prediction made for another question, and mark an answer from a link by the numbers."""
    _forget_another(chapter, (*about, asked.question, *asked.options))
    _mark_truly(chapter, asked.right)


def _choice(chapter: int, asked: Prediction, key: str, open_: bool) -> None:
    """Draw the options, and the button that reveals the answer or asks again."""
    with st.container(horizontal=True, vertical_alignment="center", key="choice"):
        choice = st.radio(
            asked.question,
            PLACES,
            index=None,
            format_func=asked.options.__getitem__,
            key=key,
            disabled=not open_,
            label_visibility="collapsed",
            horizontal=True,
        )
        if open_:
            told, icon = (chapter, choice, asked.right), ":material/visibility:"
            st.button(
                "Reveal", icon=icon, key=f"reveal-{chapter}", disabled=choice is None, on_click=_reveal, args=told
            )
        else:
            told, icon = (chapter, None), ":material/replay:"
            st.button("Ask me again", type="tertiary", icon=icon, key=f"again-{chapter}", on_click=_mark, args=told)


def _revealed(answer: Answer, asked: Prediction) -> None:
    right = answer.choice == asked.right
    text = (
        ":material/check_circle: **As you predicted.**"
        if right
        else f":material/lightbulb: **Not this time.** You expected “{asked.options[answer.choice]}”. "
        f"{asked.instead[answer.choice]}"
    )
    with st.container(key=f"revealed-{'right' if right else 'surprise'}"):
        st.markdown(f"{text}\n\n{asked.answer}\n\n{asked.why}")


def _forget_another(chapter: int, subject: tuple[str, ...]) -> None:
    """Forget a prediction made for another sentence."""
    state = st.session_state
    before = state.setdefault("asked_before", {})
    if before.setdefault(chapter, subject) == subject:
        return
    before[chapter] = subject
    state.pop(f"predicted-{chapter}", None)
    if state.lesson.answers[chapter - 1] is not None:
        _mark(chapter, None)
        st.rerun()


def _mark_truly(chapter: int, right: int) -> None:
    """Mark an answer from a link right or wrong by the numbers, whatever the link says."""
    answer = st.session_state.lesson.answers[chapter - 1]
    if answer is not None and answer.right != (answer.choice == right):
        _reveal(chapter, answer.choice, right)
        st.rerun()


def _reveal(chapter: int, choice: int, right: int) -> None:
    _mark(chapter, Answer(choice, choice == right))


def _mark(chapter: int, answer: Answer | None) -> None:
    state = st.session_state
    state.lesson, state.marked = state.lesson.answered(chapter, answer), True
    if answer is None:
        state.pop(f"predicted-{chapter}", None)
