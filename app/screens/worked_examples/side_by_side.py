"""Two examples with the same inputs side by side: their steps with shapes, or the two readings of one document."""

import numpy as np
import streamlit as st

from regard.app.components.matrices.number_format import PLACES, fixed, typeset
from regard.app.ui.widgets import table
from regard.app.worked_example.markdown import equation, prose
from regard.model.examples.entries import Values
from regard.model.examples.example import Example, Step


def side_by_side(one: Example, other: Example) -> None:
    """Draw a column for each example."""
    for column, example in zip(st.columns(2, gap="large"), (one, other), strict=True):
        values = example.run()
        lines = [
            f"{number}. {equation(step)} &nbsp; :gray[{' × '.join(map(str, values[step.name].shape))}]"
            for number, step in enumerate(example.steps, 1)
        ]
        column.markdown(f"**{example.title}**\n\n{prose(example.text)}\n\n" + "\n".join(lines))


CONTRADICTION = (
    "**The document contradicts itself.** Its steps compute $(H\\,W)\\,q$; its summary states $q^\\top W\\,h$, with W "
    "the other way round. On its own numbers the first gives the most attention to “{one}”, the second to “{other}”."
)


def readings(one: Example, other: Example) -> None:
    """Draw both readings with their scores and weights."""
    examples = [(example.title, example.run(), _step(example, "weights")) for example in (one, other)]
    words = [step.columns[int(np.argmax(values["weights"]))] for _, values, step in examples]
    st.markdown(CONTRADICTION.format(one=words[0], other=words[1]))
    rows = [
        {
            "Read": title,
            "scores": _numbers(values, "scores"),
            "weights": _numbers(values, "weights"),
            "most attention": f"“{word}”",
        }
        for (title, values, _), word in zip(examples, words, strict=True)
    ]
    table(rows, "The two readings of the score, with what comes of them")


def _step(example: Example, name: str) -> Step:
    return next(step for step in example.steps if step.name == name)


def _numbers(values: Values, name: str) -> str:
    return "\u2003".join(typeset(fixed(float(number), PLACES if name == "weights" else 3)) for number in values[name])
