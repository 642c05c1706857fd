"""Chapters of the lesson, and the question that each asks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from regard.app.figures.lesson.svg import Palette
from regard.app.screens.learn.subject import Subject
from regard.model.config import Config
from regard.model.trace import Trace


@dataclass(frozen=True)
class Prediction:
    """A question whose answer follows from the numbers on screen; all texts are Markdown.

    A prediction made for another question or other options does not count as an answer to this one.
    """

    question: str
    options: tuple[str, ...]  # three
    right: int  # which option, from 0
    answer: str  # the result, in numbers
    why: str  # one sentence
    instead: tuple[str, ...]  # for each wrong option, why it is wrong; "" for the right one


def nothing() -> None:
    """Draw nothing: the exercise of a chapter that has none."""


class Diagram(NamedTuple):
    """A drawing made for a chapter, and its description in words."""

    draw: Callable[[Palette], str]
    alt: str


class Phase(NamedTuple):
    """A phase of the network's picture, on the visitor's sentence; `of` returns the traces to show side by side."""

    name: str
    of: Callable[[Subject], Sequence[Trace]] = lambda lesson: (lesson.trace,)
    wide: bool = False  # uses most of the page's width, for two side by side


class Reading(NamedTuple):
    """The text of a chapter and the picture beside it."""

    text: str  # Markdown, 60 to 120 words
    picture: Diagram | Phase


class Chapter(NamedTuple):
    """One chapter: `live` draws the interactive part and returns the question, or None where the sentence allows none.

    `readings` replaces text and picture for models of which something else is true, by `Config.source_in_state`.
    """

    title: str
    text: str
    picture: Diagram | Phase
    task: str  # what to do with the live part, in a sentence
    live: Callable[[Subject], Prediction | None]
    exercise: Callable[[], None] = nothing  # something to compute on paper, at the end
    own: bool = False  # whether it works on the visitor's own sentence
    readings: Mapping[str, Reading] = MappingProxyType({})

    def reading(self, config: Config) -> Reading:
        """Return the text and picture that are true for this model."""
        return self.readings.get(config.source_in_state, Reading(self.text, self.picture))
