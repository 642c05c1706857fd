"""Worked examples as Markdown and LaTeX: their texts, the equation of a step, a matrix in brackets."""

import re

from regard.app.wording import plain_markdown
from regard.app.worked_example.number_input import cells
from regard.model.examples.example import Given, Step

SUBSCRIPT = re.compile(r"\b([A-Za-z])\\_([A-Za-z0-9])\b")  # in escaped text


def prose(text: str) -> str:
    """Typeset names such as W_c in a sentence as symbols; nothing else is markup."""
    return SUBSCRIPT.sub(r"$\1_\2$", plain_markdown(text))


def equation(step: Step) -> str:
    """Return a step's symbol with its formula, unless they are equal."""
    return f"${step.symbol}$" if step.symbol == step.formula else f"${step.symbol} = {step.formula}$"


def matrix(given: Given) -> str:
    """Return a matrix in brackets, as LaTeX."""
    rows = r" \\ ".join(" & ".join(row) for row in cells(given.values))
    return rf"{given.symbol} = \begin{{bmatrix}} {rows} \end{{bmatrix}}"
