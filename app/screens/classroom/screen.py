"""A class: the teacher asks, the class answers on its own devices, and then the model does.

Only the browser that began a class can ask, close, reveal or end: the store compares its secret, which no link holds.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape
from urllib.parse import urljoin

import segno
import streamlit as st

from regard.app.classroom.questions import KINDS, Asked, ask, distinct, written
from regard.app.classroom.results import bars, current_votes, draw_stage, table
from regard.app.classroom.store import Stage, State, failures, me, new_code, read_code, shared_store
from regard.app.components.pulse.mount import pulse, step_on_view
from regard.app.lesson.chapters import CHAPTERS
from regard.app.models.traces import any_trace
from regard.app.ui.plots import download
from regard.app.ui.widgets import ScreenHead, head, question_fields, segments, select
from regard.app.visitor.question import Question, telling_step
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop
from regard.app.wording import counted, plain_markdown
from regard.model.input_error import InputError

ABOUT = "Everyone predicts on their own device; then the class sees its answers, and what the model does."
HOW = (
    "Students open a link or scan a code: no account, no name. You ask where the decoder will look, what it will "
    "write, or a question of the lesson, about any sentence. Votes are counted as they come. After a first vote, let "
    "neighbours talk and **ask again** (peer instruction: Mazur 1997; Crouch and Mazur 2001), then reveal the model's "
    "answer."
)
NOT_YOURS = (
    "This class belongs to another browser, the one that began it. To take part in it, open its link for students."
)
GONE = "This class has ended: a class is deleted three hours after it was last used. Start another."
AWAY = "The class cannot be reached. Try again in a moment."
LIMITS = {0: "No time limit", 30: "30 seconds", 60: "1 minute", 120: "2 minutes", 300: "5 minutes"}
SOON, LATER = 1.0, 2.0  # seconds between two looks at the votes


def main() -> None:
    asked = begin("classroom")
    top = head("What does your class predict?", ABOUT, asked)
    code = read_code(st.query_params.get("code", ""))
    try:
        found = shared_store().read(code) if code else None
    except (*failures(), InputError) as error:
        st.error(str(error) if isinstance(error, InputError) else AWAY)
        return
    if found and found[0] == me(code):
        _teach(asked, code, found[1], top)
        return
    if code:
        st.error(NOT_YOURS if found else GONE)
    st.markdown(HOW)
    st.button("Start a class", icon=":material/groups:", on_click=_start)


def _start() -> None:
    """Begin a class under a new code, which the page's link then has."""
    try:
        code = next(code for code in iter(new_code, "") if shared_store().create(code, me(code)))
    except (*failures(), InputError) as error:
        st.session_state.class_refused = str(error) if isinstance(error, InputError) else AWAY
        return
    st.query_params["code"] = code


def _teach(question: Question, code: str, state: State, top: ScreenHead) -> None:
    if refused := st.session_state.pop("class_refused", ""):
        st.error(plain_markdown(refused))
    with st.container(horizontal=True, gap="large", key="class"):
        with st.container(width=220, key="class-code"):
            _invitation(code)
        with st.container(key="class-desk"):
            if state.phase == "ended":
                st.info("The class is over. Its answers can be saved until it is deleted, three hours from now.")
            elif state.asked:
                _vote(code, state, state.asked)
            else:
                question = _desk(question, code, top)
            _count(code, state)
            _switches(code, state)
    if state.asked:
        step = state.asked.step if state.phase == "revealed" else question.step
        question = replace(question, sentence=state.asked.sentence, model=state.asked.model, step=step)
    if state.following or (state.asked and state.phase == "revealed"):
        model, sentence = question.model, question.sentence
        step = question.step or telling_step(any_trace(model, sentence, ""))
        stage = state.stage
        if state.following and (stage is None or (stage.model, stage.sentence) != (model, sentence)):
            _change(code, lambda now: replace(now, stage=Stage(model, sentence, step)))
        draw_stage(model, sentence, step)


def _invitation(code: str) -> None:
    """Draw the code, large, its link and the link as a QR code."""
    address = urljoin(st.context.url or "", f"join?code={code}")
    picture = segno.make(address, error="m").svg_data_uri(scale=6, border=2, light="white")
    st.html(
        f'<p style="font-size:2.5rem;font-weight:700;letter-spacing:.12em;margin:0">{code}</p>'
        f'<img src="{picture}" alt="QR code of the link for students" style="width:100%;max-width:220px">'
        f'<p class="about"><a href="{escape(address)}" target="_blank">{escape(address.split("://")[-1])}</a></p>'
    )


def _desk(question: Question, code: str, top: ScreenHead) -> Question:
    """Draw the choice of a question and, in the head, its sentence; both are returned as the page's question."""
    model = any_readable(question.model)
    question_fields(top, model)
    question = question_or_stop(question, model)
    trace = any_trace(question.model, question.sentence, "")
    kind = segments("Question", KINDS, "look", "class_kind")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        last = len(trace.target)
        first = telling_step(trace)
        if not 1 <= st.session_state.get("class_step", 1) <= last:
            del st.session_state.class_step
        step = st.number_input(f"Step, 1 to {last}", 1, last, first, key="class_step", bind="query-params", width=140)
        aside = 0
        if kind == "drag":
            words = dict(enumerate(distinct(trace.alignment.source.words)))
            aside = select("All weight moves to", words, 0, "class_word", width=200)
        elif kind == "lesson":
            chapters = {place: f"Chapter {place}" for place in range(1, len(CHAPTERS) + 1)}
            aside = select("Chapter", chapters, 3, "class_chapter", width=200)
        limit = select("Time to answer", LIMITS, 0, "class_limit", width=160)
    st.caption(f"Before this step: {plain_markdown(written(trace, step))}")

    def put() -> None:
        asked = partial(ask, kind, question.model, question.sentence, step, aside)
        until = time.time() + limit if limit else 0.0
        _change(code, lambda state: state.with_question(asked(), until))

    st.button("Ask the class", icon=":material/campaign:", on_click=put)
    return replace(question, step=step)


def _change(code: str, change: Callable[[State], State]) -> None:
    """Change the class, in a callback; the reason is shown if that fails."""
    try:
        found = shared_store().read(code)
        changed = change(found[1]) if found else None
        if not found or not changed or (changed != found[1] and not shared_store().write(code, me(code), changed)):
            st.session_state.class_refused = NOT_YOURS if found else GONE
    except InputError as error:
        st.session_state.class_refused = str(error)
    except failures():
        st.session_state.class_refused = AWAY


def _vote(code: str, state: State, asked: Asked) -> None:
    """Draw the question on view, and what the teacher may do with it next."""
    st.html(f'<p style="font-size:1.5rem;font-weight:600;margin:0">{escape(asked.prompt)}</p>')

    def press(label: str, icon: str, **values: object) -> None:
        change = lambda now: replace(now, **values)  # noqa: E731
        st.button(label, icon=f":material/{icon}:", on_click=_change, args=(code, change))

    with st.container(horizontal=True, key="class-next"):
        phase = state.phase_now
        if phase == "asking":
            press("Close the vote", "stop", phase="closed", until=0.0)
        if phase == "closed":
            if state.round == 1:
                press("Ask again", "replay", phase="asking", round=2, until=0.0)
            stage = Stage(asked.model, asked.sentence, asked.step) if state.shared or state.following else state.stage
            press("Reveal", "visibility", phase="revealed", stage=stage)
        if phase == "revealed":
            stage = state.stage if state.following else None
            press("Next question", "arrow_forward", phase="waiting", stage=stage)
    if phase == "revealed":
        st.markdown(f"**{asked.answer if asked.kind == 'lesson' else plain_markdown(asked.answer)}**")


@st.fragment(key="class-count")
def _count(code: str, state: State) -> None:
    """Draw how many have answered, and what they answered once the vote is closed."""
    try:
        there = counted(shared_store().joined(code), "student")
        votes = current_votes(code, state) if state.asked else []
    except failures():
        st.warning(AWAY)
        pulse(LATER)
        return
    phase = state.phase_now
    if st.session_state.get("class_phase") != (phase, state.vote):
        st.session_state.class_phase = phase, state.vote
        st.rerun()  # the time is over: the buttons change
    if not state.asked:
        st.html(f'<p style="font-size:1.25rem">{there} joined.</p>')
    else:
        left = f", {max(0, round(state.until - time.time()))} s left" if state.open and state.until else ""
        st.html(f'<p style="font-size:1.25rem" role="status">{len(votes[-1])} of {there} answered{left}.</p>')
        if phase != "asking":
            st.html(bars(state.asked, votes, revealed=phase == "revealed"))
    step = step_on_view()
    if state.following and step is not None:
        _change(code, lambda now: replace(now, stage=now.stage and replace(now.stage, step=step)))
    pulse(SOON if state.open or state.following else LATER)


def _switches(code: str, state: State) -> None:
    """Draw what concerns the whole class: sharing the stage, the file, the end."""
    with st.container(horizontal=True, vertical_alignment="center", key="class-switches"):
        st.session_state.class_shared, st.session_state.class_following = state.shared, state.following

        def switch(name: str) -> None:
            on = bool(st.session_state[f"class_{name}"])
            _change(code, lambda now: replace(now, **{name: on}, stage=now.stage if on else None))

        about = "After each answer, students see the step in the stepper on their own devices."
        st.toggle("Share the stage", key="class_shared", on_change=switch, args=("shared",), help=about)
        about = "Students see your sentence and your step, with or without a question."
        st.toggle("Follow me", key="class_following", on_change=switch, args=("following",), help=about)
        download(
            "Save the answers",
            lambda: table(state, lambda vote: shared_store().votes(code, vote)),
            f"regard-class-{code}.csv",
            "Questions, options, counts and the model's answers, without names (CSV)",
            disabled=not state.questions,
        )
        if state.phase != "ended":
            done = lambda now: replace(now, phase="ended", stage=None, following=False)  # noqa: E731
            st.button("End the class", icon=":material/logout:", on_click=_change, args=(code, done))
        else:
            st.button("Start another class", icon=":material/groups:", on_click=_start)


main()
