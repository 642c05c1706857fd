"""Navigation of the lesson: the list of chapters with its marks, the buttons between them, and the page's link."""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from regard.app.screens.learn.contents import CHAPTERS
from regard.app.screens.learn.progress import COUNT, Answer, LessonProgress
from regard.app.visitor.sentence_input import visit, went_back
from regard.app.wording import counted

HERE = Path(__file__).parent
LINK = ("chapter", "answers")
LAST = "What you can do now"
AHEAD, RIGHT, SURPRISE = ":material/circle:", ":material/check_circle:", ":material/lightbulb:"


def recall(arrived: bool) -> LessonProgress:
    """Return the visitor's progress, from this session or from the link they arrive with."""
    state, link = st.session_state, {name: st.query_params[name] for name in LINK if name in st.query_params}
    if "lesson" not in state:
        state.lesson = LessonProgress.from_link(link)
    elif (arrived and link) or went_back():
        linked = LessonProgress.from_link(link)
        state.lesson = linked if "answers" in link else state.lesson.at(linked.page)
    return state.lesson


def keep(progress: LessonProgress) -> None:
    """Write the progress into the link and leave its other parameters alone."""
    values = progress.to_link()
    for name in LINK:
        if name in values:
            if st.query_params.get(name) != values[name]:
                st.query_params[name] = values[name]
        elif name in st.query_params:
            del st.query_params[name]


def chapter_list(progress: LessonProgress) -> None:
    """Draw every chapter with its mark, the open one highlighted."""
    with st.container(key="chapters", gap=None):
        for page, title in enumerate([*(chapter.title for chapter in CHAPTERS), LAST], 1):
            here = page == progress.page
            mark = _mark(progress.answers[page - 1]) if page <= COUNT else ":material/flag:"
            name = f"**{page}** {title}" if page <= COUNT else title
            st.button(
                name,
                icon=mark,
                type="secondary" if here else "tertiary",
                key=f"chapter-{page}{'-here' if here else ''}",
                on_click=go,
                args=(page,),
                width="stretch",
            )
    with st.container(key="standing", gap="xxsmall"):
        st.markdown(
            f"{RIGHT} {progress.right} as predicted  \n{SURPRISE} {counted(progress.surprises, 'surprise')}  \n"
            f"{AHEAD} {COUNT - progress.right - progress.surprises} to come"
        )
        st.button("Start over", icon=":material/restart_alt:", type="tertiary", on_click=_start_over)


def around(progress: LessonProgress) -> None:
    """Draw the buttons to the previous and the next page."""
    with st.container(horizontal=True, horizontal_alignment="distribute", key="around"):
        before, after = (progress.page - 1,), (progress.page + 1,)
        st.button("Previous", on_click=go, args=before, shortcut="Left", disabled=progress.page == 1)
        st.button("Next", on_click=go, args=after, shortcut="Right", disabled=progress.page > COUNT)


def go(page: int) -> None:
    state = st.session_state
    state.lesson, visit().opened = state.lesson.at(page), ()


def title(progress: LessonProgress) -> None:
    """Draw the page's heading; on a new page the window scrolls to it and a screen reader reads it."""
    last = progress.page > COUNT
    data = {
        "page": progress.page,
        "title": LAST if last else CHAPTERS[progress.page - 1].title,
        "above": "The end" if last else f"Chapter {progress.page} of {COUNT}",
    }
    _component()(key="page-title", data=data)


@cache
def _component() -> Any:
    script = (HERE / "title.js").read_text(encoding="utf-8")
    return component("regard_lesson_title", js=script, css=(HERE / "title.css").read_text(encoding="utf-8"))


def _mark(answer: Answer | None) -> str:
    return AHEAD if answer is None else RIGHT if answer.right else SURPRISE


def _start_over() -> None:
    """Return to the first page and forget all answers and tries."""
    state = st.session_state
    for key in [key for key in state if str(key).startswith(("predicted-", "paper-"))]:
        del state[key]
    state.lesson, state.asked_before, visit().opened = LessonProgress(), {}, ()
