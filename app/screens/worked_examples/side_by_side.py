"""Two examples of the same inputs, step beside step, with the shape of what each step makes."""

import streamlit as st

from app.worked_example.markdown import equation, prose
from model.examples.example import Example


def side_by_side(one: Example, other: Example) -> None:
    """A column for each."""
    for column, example in zip(st.columns(2, gap="large"), (one, other), strict=True):
        values = example.run()
        lines = [
            f"{number}. {equation(step)} &nbsp; :gray[{' × '.join(map(str, values[step.name].shape))}]"
            for number, step in enumerate(example.steps, 1)
        ]
        column.markdown(f"**{example.title}**\n\n{prose(example.text)}\n\n" + "\n".join(lines))
