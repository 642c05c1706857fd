"""Join: a student's page of a class. It is light: a question, its options, and the stage once the teacher shares it."""

from html import escape

import streamlit as st

from regard.app.classroom.questions import Asked
from regard.app.classroom.results import bars, current_votes, draw_stage, summary
from regard.app.classroom.store import (
    LENGTH,
    LONGEST_VOTE,
    Stage,
    State,
    failures,
    may_guess,
    me,
    pseudonym,
    read_code,
    shared_store,
)
from regard.app.components.pulse.mount import pulse
from regard.app.models.registry import model_names
from regard.app.ui.widgets import heading, table
from regard.app.visitor.sentence_input import begin
from regard.app.wording import counted, plain_markdown

SOON, LATER = 1.0, 2.0  # seconds between two looks at the class
QUESTION, BEAT = "class", "class-beat"  # fragments
GONE = "This class has ended, or there was none with this code. Ask your teacher for the code."
SLOWER = "Too many wrong codes came from your network. Wait a minute, then try again."
FULL = "This class is full."
AWAY = "The class has ended or cannot be reached. This page tries again by itself."
WAITING = "Waiting for the question."
LATE = "The vote was closed before your answer came."
FOREIGN_MODEL = "The teacher shows a model that only their own browser has."


def main() -> None:
    begin("join")
    typed = st.query_params.get("code", "")
    code = read_code(typed)
    if not code or not _joined(code):
        heading("Join a class")
        if typed:
            st.error(st.session_state.pop("join_refused", GONE))

        def enter() -> None:
            st.query_params["code"] = st.session_state.typed_code

        st.text_input(f"Code, {LENGTH} letters", typed, key="typed_code", max_chars=20, width=300, on_change=enter)
        return
    student = me(code)
    colour, name = pseudonym(student)
    dot = f'<span aria-hidden="true" style="color:{colour};forced-color-adjust:none">●</span>'
    heading(f"Class {code}", f"You are {dot} <b>the {escape(name)}</b>. Nobody knows more about you.")
    state = _now(code)
    stage = state.stage if state else None
    _question(code, student, stage)
    _beat(code)
    if stage and stage.model in model_names():
        draw_stage(stage.model, stage.sentence, stage.step)  # its numbers open here, for this student alone
    elif stage:
        st.info(FOREIGN_MODEL)


def _joined(code: str) -> bool:
    """Join the class; False, with the reason in the session, if it cannot be joined."""
    try:
        found = shared_store().read(code)
        if found and shared_store().join(code, me(code)):
            return True
        st.session_state.join_refused = FULL if found else GONE if may_guess() else SLOWER
    except failures():
        st.session_state.join_refused = AWAY
    return False


def _now(code: str) -> State | None:
    """Return the class as it is, or None if it is gone or cannot be reached."""
    try:
        found = shared_store().read(code)
    except failures():
        return None
    return found[1] if found else None


@st.fragment(key=QUESTION)
def _question(code: str, student: str, stage: Stage | None) -> None:
    """Draw what the class is asked now. The whole page is drawn again only when the stage shows something else."""
    state = _now(code)
    st.session_state.class_shown = _view(state)
    if state is None:
        st.warning(AWAY)
        return
    if _subject(state.stage) != _subject(stage):
        st.rerun()
    with st.container(key="class-question"):
        if state.asked:
            _asked(state, state.asked, code, student)
        elif state.phase == "ended" and state.questions:
            rows = summary(state, shared_store().own(code, student, state.votes))
            predicted = [row[""] for row in rows].count("as the model")
            questions = counted(len(rows), "question")
            st.markdown(f"The class is over. You predicted the model in {predicted} of {questions}.")
            table(rows, "Your answers and the model's")
        elif state.phase == "ended":
            st.markdown("The class is over.")
        else:
            st.info(WAITING)


@st.fragment(key=BEAT)
def _beat(code: str) -> None:
    """Draw the pulse alone: most beats find nothing new."""
    state = _now(code)
    live = state and (state.open or state.following)
    pulse(SOON if live else LATER, state.stage.step if state and state.stage else None, lambda: _look(code))


def _look(code: str) -> None:
    """Draw the question again, in a callback, if the class is asked something else than this page shows."""
    if _view(_now(code)) != st.session_state.get("class_shown"):
        st.rerun([QUESTION, BEAT])


def _view(state: State | None) -> tuple[object, ...]:
    """Return what the question looks like: a page that shows another is drawn again."""
    return (state.phase_now, state.vote, _subject(state.stage)) if state else ()


def _subject(stage: Stage | None) -> tuple[str, ...]:
    return (stage.model, stage.sentence, stage.picture) if stage else ()


def _asked(state: State, asked: Asked, code: str, student: str) -> None:
    value = shared_store().own(code, student, [state.vote]).get(state.vote, "")
    st.html(f'<p class="class-prompt" style="font-size:1.25rem">{escape(asked.prompt)}</p>')
    phase = state.phase_now
    if phase == "asking":
        _options(asked, state.vote, code, student, value)
    if value:
        st.markdown(f"Your answer is received: **{plain_markdown(value)}**.")
    elif phase != "asking":
        st.markdown("You gave no answer.")
    if late := st.session_state.pop("class_late", ""):
        st.warning(late)
    if phase == "closed":
        st.caption("The vote is closed.")
    if phase == "revealed":
        right = asked.vote(value) == asked.right
        icon = f":material/{'visibility' if not value else 'check_circle' if right else 'lightbulb'}:"
        st.markdown(f"{icon} {asked.answer if asked.kind == 'lesson' else plain_markdown(asked.answer)}")
        st.html(bars(asked, current_votes(code, state), revealed=True))


def _options(asked: Asked, vote: str, code: str, student: str, value: str) -> None:
    """Draw the options, and a field for a word of one's own where one counts. An answer may be changed."""

    def send(key: str) -> None:
        chosen = str(st.session_state.get(key) or "").strip()[:LONGEST_VOTE]
        if not chosen and value in asked.options:
            st.session_state[key] = value  # pressed twice: the answer stands
        try:
            if chosen and not shared_store().answer(code, vote, student, chosen):
                st.session_state.class_late = LATE
        except failures():
            st.session_state.class_late = AWAY

    key = f"vote-{vote}"
    chosen = value if value in asked.options else None
    st.pills(
        "Your answer", asked.options, default=chosen, key=key, format_func=plain_markdown, on_change=send, args=(key,)
    )
    if asked.typed:
        own = f"word-{vote}"
        st.text_input("Or another word", key=own, max_chars=LONGEST_VOTE, on_change=send, args=(own,), width=300)


main()
