"""Chapter of the lesson: its text, its picture, and the question it asks about the visitor's own sentence; and how the
lesson writes numbers and tokens."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from regard.app.models.models import attends, title
from regard.app.models.registry import alike, recurrent_names
from regard.app.models.traces import trace
from regard.app.visitor.pickers import as_markdown, choose
from regard.app.visitor.question import Question, opening_step
from regard.app.visitor.sentence_input import answerable, readable, visit
from regard.app.visitor.suggestions import opening
from regard.app.wording import plain_markdown
from regard.model.arithmetic.quantity import source_text
from regard.model.checkpoint import Pretrained
from regard.model.files import toml_beside
from regard.model.trace import AnyTrace, Trace


def teacher(asked: Question) -> Pretrained:
    """Return the visitor's model if it has attention and a sentence, else another, of its languages if possible."""
    names = [asked.model, *alike(asked.model), *recurrent_names()]
    able = (name for name in names if attends(name) and (opening(name) or visit().answered))
    return readable(next(able, asked.model))


def subject(asked: Question, model: Pretrained, show_error: bool) -> Trace:
    """Return the model's own translation of the visitor's sentence, or of the example if theirs cannot be read;
    `show_error` shows the error message. A translation that the visitor gave on another screen is left aside."""
    question = answerable(asked, model) if show_error else visit().answered
    sentence = (question or replace(asked, sentence=opening(model.name))).sentence
    return trace(model.name, sentence, "")


TEXTS: dict[str, dict[str, Any]] = toml_beside(__file__, "chapters.toml")  # title, text and task of each


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
    instead: tuple[str, ...] = ("",) * 3  # for each option, why it is wrong, if the answer does not say it
    step: int = 0  # of the picture, counted from 1, if it shows the answer


def own(lesson: Trace) -> dict[str, AnyTrace]:
    """Return the visitor's translation, by the model's title."""
    return {title(lesson.maker.name): lesson}


SIDES = (7, 5)  # widths of a chapter's text and of its picture


class Phase(NamedTuple):
    """A phase of the network's picture, on the visitor's sentence.

    `of` returns the traces that it shows side by side, by title. If `covers`, the answer is covered until the chapter's
    question is answered, unless it is in the traces that `then` shows afterwards.
    """

    name: str
    of: Callable[[Trace], Mapping[str, AnyTrace]] = own
    widths: tuple[int, int] = SIDES  # of the text and of the picture, which needs more for two traces
    then: Callable[[Trace], Mapping[str, AnyTrace]] | None = None
    covers: bool = True


class Chapter(NamedTuple):
    """One chapter: `asked` returns its question, or None where the sentence allows none; `live` draws what to try."""

    title: str
    text: str  # Markdown, 60 to 120 words
    task: str  # what to do with the live part, in a sentence
    asked: Callable[[Trace], Prediction | None]
    live: Callable[[Trace], None]
    picture: Phase | None = None
    exercise: Callable[[], None] = lambda: None  # something to compute, at the end
    own: bool = False  # whether it works on the visitor's own sentence
    again: Callable[[Trace], Prediction | None] = lambda lesson: None  # a second question, which counts for nothing
    figure: Callable[[], None] | None = None  # draws a picture of something else than the visitor's sentence


DIGITS = 4  # after the point, at most


def written(value: float) -> str:
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def column(values: Iterable[float], decimals: int = 0) -> list[str]:
    """Write the numbers of a column so that their digits line up, with at least so many decimals."""
    numbers = list(values)
    after = max(decimals, *(len(written(value).partition(".")[2]) for value in numbers))
    texts = [f"{value + 0:,.{after}f}".replace("-", "−") for value in numbers]
    return [text.rjust(max(map(len, texts)), "\u2007") for text in texts]  # a blank as wide as a digit


def signed(value: float) -> str:
    """Return a number as a factor, in brackets if it is negative."""
    return f"({written(value)})" if value < 0 else written(value)


def vector(values: Iterable[float]) -> str:
    return f"({', '.join(map(written, values))})"


def choose_writing_step(trace: Trace, key: str) -> int:
    """Return the chosen step, from 0, picked by the token it writes; the middle one at first."""
    steps = range(len(trace.target))
    middle = opening_step(len(steps)) - 1
    return choose("A step, by the token it writes", steps, middle, key, lambda step: as_markdown(trace.target[step]))


def written_so_far(trace: Trace, step: int) -> str:
    """Return the tokens written before a step, from 0, as Markdown."""
    return " ".join(map(token_name, trace.target[:step])) or "nothing yet"


def source_choice(trace: Trace, place: int) -> str:
    """Return a source token as an option to choose, numbered if there are several of it."""
    return plain_markdown(source_text(trace, place))


def token_name(token: str) -> str:
    """Return a token as bold Markdown for use in a sentence."""
    return f"**{as_markdown(token)}**"
