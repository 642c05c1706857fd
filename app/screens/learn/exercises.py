"""Exercises of the lesson: a number to compute on paper, and numbers and tokens as the lesson writes them.

The reader types a number, which is checked, and after two tries its working is shown.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import streamlit as st

from regard.app.components.matrices.sums import NO_BREAK, PLACES, shortest
from regard.app.components.matrices.sums import written as written_out
from regard.app.ui.widgets import table
from regard.app.visitor.pickers import as_markdown, choose
from regard.app.visitor.question import opening_step
from regard.app.wording import plain_markdown
from regard.model.arithmetic.quantity import source_text
from regard.model.examples.operations import Entry
from regard.model.examples.tutorials import ON_PAPER, WORDS
from regard.model.trace import Trace

DIGITS = 4  # after the point, at most


def written(value: float) -> str:
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


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


TOLERANCE = 0.01  # tolerance for rounding on the way
TRIES = 2  # wrong numbers until the working is shown
FARTHEST = 1e6
VALUES = ON_PAPER.run()
STEPS = {step.name: step for step in ON_PAPER.steps}
ONE_OF = {"scores": "a score", "weights": "a weight", "context": "a number of the context"}
ASKED = {"scores": 2, "weights": 1, "context": 0}  # index of the number asked for, by step


def asked_entry(step: str) -> Entry:
    """Return the entry of a step that the reader computes."""
    return STEPS[step].operation.entry(VALUES, 0, ASKED[step])


def paper(step: str, question: str, shown: Mapping[str, Sequence[str]]) -> None:
    """Ask for one entry of a step of the example; `shown` has everything needed for it, with a column of words."""
    key, entry = f"paper-{step}", asked_entry(step)
    about = f"**On paper**: compute {ONE_OF[step]} by hand"  # differs by chapter, so that each begins folded
    with st.container(key="paper"), st.expander(about, icon=":material/edit:"):
        st.markdown(question)
        heads = ["Word", *shown]
        rows = zip(WORDS, *shown.values(), strict=True)
        table([dict(zip(heads, row, strict=True)) for row in rows], "What is needed for it")
        typed = st.number_input(
            "Your result",
            min_value=-FARTHEST,
            max_value=FARTHEST,
            value=None,
            step=TOLERANCE,
            format="%g",
            key=key,
            placeholder="Type it and press Enter",
            width=260,
            on_change=_count,
            args=(key, entry.combined),
        )
        if typed is not None:
            st.markdown(verdict(typed, entry.combined))
        if st.session_state.get(f"{key}-tries", 0) >= TRIES:
            st.markdown("The working:")
            st.latex(working(entry))


def near(typed: float, value: float) -> bool:
    """Return True if the typed number is the value, up to rounding."""
    return abs(typed - value) <= TOLERANCE + 1e-9


def verdict(typed: float, value: float) -> str:
    """Return the verdict on a typed number, as Markdown."""
    if near(typed, value):
        return ":material/check_circle: **Right.**" + ("" if typed == value else f" To four digits: {written(value)}.")
    side = "high" if typed > value else "low"
    return f":material/edit: **Not yet.** {written(typed)} is too {side} by {written(abs(typed - value))}."


def working(entry: Entry) -> str:
    """Return the sum or the share written out as LaTeX, one link of the chain on each line."""
    text = written_out(entry, shortest(entry.combined, PLACES)).replace("·", r" \cdot ").replace(NO_BREAK, " ")
    gathered = r" \\[1ex] ".join(re.split(r" (?=[=≈])", re.sub(r"\^\(([^)]*)\)", r"^{\1}", text)))
    return rf"\begin{{gathered}} {gathered} \end{{gathered}}"


def column(step: str) -> list[str]:
    """Return the numbers of a step, or of the annotations, as text, one for each word."""
    return [vector(value) if np.ndim(value) else written(value) for value in VALUES[step]]


def powers() -> list[str]:
    """Return e to the power of each score, to three digits."""
    return [written(round(float(power), 3)) for power in np.exp(VALUES["scores"])]


def _count(key: str, value: float) -> None:
    """Count one more wrong number."""
    typed = st.session_state[key]
    if typed is not None and not near(typed, value):
        st.session_state[f"{key}-tries"] = st.session_state.get(f"{key}-tries", 0) + 1
