"""The way through the lesson: its chapters in order, a visitor's progress, the list of marks, and the page's link.

Bad values in a link are clamped or ignored, never an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from regard.app.lesson.chapters import CHAPTERS
from regard.app.visitor.question import whole
from regard.app.visitor.sentence_input import visit, went_back
from regard.app.wording import counted

COUNT = len(CHAPTERS)  # the page after them says where to go next
RIGHT_LETTERS, OTHER_LETTERS, UNANSWERED = "123", "abc", "-"  # a letter for each chapter; older links use both


@dataclass(frozen=True)
class LessonProgress:
    """`page` counts from 1; COUNT + 1 is the page after the last chapter. `choices` are the options chosen, from 0.

    A link can hold any choices: only those of chapters opened in this visit, where they were checked, have `marks`,
    which are true for a right one.
    """

    page: int = 1
    choices: tuple[int | None, ...] = (None,) * COUNT
    marks: Mapping[int, bool] = field(default_factory=dict)

    @classmethod
    def from_link(cls, link: Mapping[str, str]) -> "LessonProgress":
        letters = link.get("answers", "")[:COUNT].ljust(COUNT, UNANSWERED)
        places = ((RIGHT_LETTERS + OTHER_LETTERS).find(letter) for letter in letters)
        choices = tuple(place % len(RIGHT_LETTERS) if place >= 0 else None for place in places)
        return cls(choices=choices).at(whole(link.get("chapter")) or 1)

    def to_link(self) -> dict[str, str]:
        """Return the link parameters that restore this progress; defaults are left out."""
        letters = (UNANSWERED if choice is None else RIGHT_LETTERS[choice] for choice in self.choices)
        answers = "".join(letters).rstrip(UNANSWERED)
        return ({"chapter": str(self.page)} if self.page > 1 else {}) | ({"answers": answers} if answers else {})

    def at(self, page: int) -> "LessonProgress":
        """Return this progress on another page, clamped to those there are."""
        return replace(self, page=max(1, min(COUNT + 1, page)))

    def answered(self, chapter: int, choice: int | None, right: bool = False) -> "LessonProgress":
        """Return this progress with a choice in a chapter, counted from 1, and its mark; None forgets both."""
        marks = {page: mark for page, mark in self.marks.items() if page != chapter}
        choices = (*self.choices[: chapter - 1], choice, *self.choices[chapter:])
        return replace(self, choices=choices, marks=marks if choice is None else marks | {chapter: right})

    def resumed(self, before: "LessonProgress") -> "LessonProgress":
        """Return this progress, from a link, with the marks of choices that are as they were before."""
        same = {page: mark for page, mark in before.marks.items() if self.choices[page - 1] == before.choices[page - 1]}
        return replace(self, marks=same)

    @property
    def right(self) -> int:
        return sum(self.marks.values())

    @property
    def surprises(self) -> int:
        return len(self.marks) - self.right


HERE = Path(__file__).parent
LINK = ("chapter", "answers")
LAST = "What you can do now"
AHEAD, RIGHT, SURPRISE = ":material/circle:", ":material/check_circle:", ":material/lightbulb:"
MARKS = {None: AHEAD, True: RIGHT, False: SURPRISE}


def recall(arrived: bool) -> LessonProgress:
    """Return the visitor's progress, from this session or from the link they arrive with."""
    state, link = st.session_state, {name: st.query_params[name] for name in LINK if name in st.query_params}
    if "lesson" not in state:
        state.lesson = LessonProgress.from_link(link)
    elif (arrived and link) or went_back():
        linked = LessonProgress.from_link(link)
        state.lesson = linked.resumed(state.lesson) if "answers" in link else state.lesson.at(linked.page)
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
            mark = MARKS[progress.marks.get(page)] if page <= COUNT else ":material/flag:"
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


def _start_over() -> None:
    """Return to the first page and forget all answers and tries."""
    state = st.session_state
    for key in [key for key in state if str(key).startswith("predicted-")]:
        del state[key]
    state.lesson, state.asked_before, visit().opened = LessonProgress(), {}, ()
