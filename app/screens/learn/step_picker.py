"""Picker for the decoder step that a chapter is about."""

from regard.app.visitor.pickers import as_markdown, choose
from regard.app.visitor.question import opening_step
from regard.app.wording import plain_markdown
from regard.model.arithmetic.quantity import source_text
from regard.model.trace import Trace


def choose_writing_step(trace: Trace, key: str) -> int:
    """Return the chosen step, from 0, picked by the token it writes; the middle one at first."""
    steps = range(len(trace.target))
    middle = opening_step(len(steps)) - 1
    return choose("A step, by the token it writes", steps, middle, key, lambda step: as_markdown(trace.target[step]))


def written_so_far(trace: Trace, step: int) -> str:
    """Return the tokens written before a step, from 0, as Markdown."""
    return " ".join(map(name, trace.target[:step])) or "nothing yet"


def source_choice(trace: Trace, place: int) -> str:
    """Return a source token as an option to choose, numbered if there are several of it."""
    return plain_markdown(source_text(trace, place))


def name(token: str) -> str:
    """Return a token as bold Markdown for use in a sentence."""
    return f"**{as_markdown(token)}**"
