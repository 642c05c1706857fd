"""Progress of a visitor in the lesson, as one value that the page's link also holds.

Bad values in a link are clamped or ignored, never an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from regard.app.screens.learn.contents import CHAPTERS

COUNT = len(CHAPTERS)  # the page after them says where to go next
RIGHT, OTHER, OPEN = "123", "abc", "-"  # a chapter's letter: which option was chosen, and whether it was right


class Answer(NamedTuple):
    """A revealed prediction: the option chosen, from 0, and whether it was right."""

    choice: int
    right: bool


@dataclass(frozen=True)
class LessonProgress:
    """`page` counts from 1; COUNT + 1 is the page after the last chapter."""

    page: int = 1
    answers: tuple[Answer | None, ...] = (None,) * COUNT

    @classmethod
    def from_link(cls, link: Mapping[str, str]) -> "LessonProgress":
        letters = link.get("answers", "")[:COUNT].ljust(COUNT, OPEN)
        return cls(_page(link.get("chapter")), tuple(map(_answer, letters)))

    def to_link(self) -> dict[str, str]:
        """Return the link parameters that restore this progress; defaults are left out."""
        letters = "".join(OPEN if one is None else (RIGHT if one.right else OTHER)[one.choice] for one in self.answers)
        answers = letters.rstrip(OPEN)
        return ({"chapter": str(self.page)} if self.page > 1 else {}) | ({"answers": answers} if answers else {})

    def at(self, page: int) -> "LessonProgress":
        """Return this progress on another page, clamped to those there are."""
        return replace(self, page=max(1, min(COUNT + 1, page)))

    def answered(self, chapter: int, answer: Answer | None) -> "LessonProgress":
        """Return this progress with an answer to a chapter, counted from 1; None forgets it."""
        return replace(self, answers=(*self.answers[: chapter - 1], answer, *self.answers[chapter:]))

    @property
    def right(self) -> int:
        return sum(answer is not None and answer.right for answer in self.answers)

    @property
    def surprises(self) -> int:
        return sum(answer is not None and not answer.right for answer in self.answers)


def _page(value: str | None) -> int:
    try:
        return max(1, min(COUNT + 1, int(value or "")))
    except ValueError:
        return 1


def _answer(letter: str) -> Answer | None:
    if letter in RIGHT:
        return Answer(RIGHT.index(letter), True)
    return Answer(OTHER.index(letter), False) if letter in OTHER else None
