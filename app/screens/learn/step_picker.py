"""The step of a translation that a chapter looks at."""

from regard.app.visitor.question import opening_step
from regard.app.visitor.step_picker import as_markdown, choose
from regard.model.trace import Trace


def choose_writing_step(trace: Trace, key: str) -> int:
    """From 0, by the token that it writes; the middle one at first."""
    steps = range(len(trace.target))
    middle = opening_step(len(steps)) - 1
    return choose("A step, by the token it writes", steps, middle, key, lambda step: as_markdown(trace.target[step]))


def name(token: str) -> str:
    """A token in a sentence, as Markdown."""
    return f"**{as_markdown(token)}**"
