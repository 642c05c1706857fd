"""The way through the lesson: its chapters in order, a visitor's progress, the list of marks, and the page's link.

Bad values in a link are clamped or ignored, never an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from streamlit.components.v2 import component

from regard.app.screens.learn.attention_chapters import CONTEXT, SCORING, SOFTMAX
from regard.app.screens.learn.chapter import Chapter
from regard.app.screens.learn.decoder_chapters import HEATMAP, OUTPUT, TWO_WIRINGS
from regard.app.screens.learn.encoder_chapters import ANNOTATIONS, BOTTLENECK
from regard.app.screens.learn.limits_chapters import LEARNING, LIMITS, TRANSFORMERS
from regard.app.visitor.sentence_input import visit, went_back
from regard.app.wording import counted

CHAPTERS: tuple[Chapter, ...] = (
    BOTTLENECK, ANNOTATIONS, SCORING, SOFTMAX, CONTEXT, OUTPUT, HEATMAP, TWO_WIRINGS, LIMITS, LEARNING, TRANSFORMERS,
)  # fmt: skip
COUNT = len(CHAPTERS)  # the page after them says where to go next
# A chapter's letter in the link: which option was chosen, and whether it was right.
RIGHT_LETTERS, OTHER_LETTERS, UNANSWERED = "123", "abc", "-"


class Answer(NamedTuple):
    """A revealed prediction: the option chosen, from 0, and whether it was right."""

    choice: int
    right: bool


@dataclass(frozen=True)
class LessonProgress:
    """`page` counts from 1; COUNT + 1 is the page after the last chapter. A link can hold any answers: only those of
    chapters `opened` in this visit, where they were checked, count."""

    page: int = 1
    answers: tuple[Answer | None, ...] = (None,) * COUNT
    opened: frozenset[int] = frozenset()

    @classmethod
    def from_link(cls, link: Mapping[str, str]) -> "LessonProgress":
        letters = link.get("answers", "")[:COUNT].ljust(COUNT, UNANSWERED)
        return cls(_page(link.get("chapter")), tuple(map(_answer, letters)))

    def to_link(self) -> dict[str, str]:
        """Return the link parameters that restore this progress; defaults are left out."""
        letters = "".join(
            UNANSWERED if one is None else (RIGHT_LETTERS if one.right else OTHER_LETTERS)[one.choice]
            for one in self.answers
        )
        answers = letters.rstrip(UNANSWERED)
        return ({"chapter": str(self.page)} if self.page > 1 else {}) | ({"answers": answers} if answers else {})

    def at(self, page: int) -> "LessonProgress":
        """Return this progress on another page, clamped to those there are."""
        return replace(self, page=max(1, min(COUNT + 1, page)))

    def answered(self, chapter: int, answer: Answer | None) -> "LessonProgress":
        """Return this progress with an answer to a chapter, counted from 1; None forgets it."""
        return replace(self, answers=(*self.answers[: chapter - 1], answer, *self.answers[chapter:]))

    def resumed(self, before: "LessonProgress") -> "LessonProgress":
        """Return this progress, from a link, with the opened chapters whose answers are as they were before."""
        same = (page for page in before.opened if self.answers[page - 1 :][:1] == before.answers[page - 1 :][:1])
        return replace(self, opened=frozenset(same))

    @property
    def counted(self) -> tuple[Answer | None, ...]:
        return tuple(one if page in self.opened else None for page, one in enumerate(self.answers, 1))

    @property
    def right(self) -> int:
        return sum(answer is not None and answer.right for answer in self.counted)

    @property
    def surprises(self) -> int:
        return sum(answer is not None and not answer.right for answer in self.counted)


def _page(value: str | None) -> int:
    try:
        return max(1, min(COUNT + 1, int(value or "")))
    except ValueError:
        return 1


def _answer(letter: str) -> Answer | None:
    if letter in RIGHT_LETTERS:
        return Answer(RIGHT_LETTERS.index(letter), True)
    return Answer(OTHER_LETTERS.index(letter), False) if letter in OTHER_LETTERS else None


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
        state.lesson = linked.resumed(state.lesson) if "answers" in link else state.lesson.at(linked.page)
    state.lesson = replace(state.lesson, opened=state.lesson.opened | {state.lesson.page})
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
            mark = _mark(progress.counted[page - 1]) if page <= COUNT else ":material/flag:"
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
