"""Worked examples as Markdown and LaTeX: what they say of themselves, the equation of a step, a matrix in brackets."""

import re

from regard.app.wording import plain_markdown
from regard.app.worked_example.number_input import cells
from regard.model.examples.example import Given, Step

SUBSCRIPT = re.compile(r"\b([A-Za-z])\\_([A-Za-z0-9])\b")  # of what is escaped already


def prose(text: str) -> str:
    """A sentence in which names such as W_c are set as symbols, and nothing else is markup."""
    return SUBSCRIPT.sub(r"$\1_\2$", plain_markdown(text))


def equation(step: Step) -> str:
    """Its symbol and what that equals, where the symbol does not say so itself."""
    return f"${step.symbol}$" if step.symbol == step.formula else f"${step.symbol} = {step.formula}$"


def matrix(given: Given) -> str:
    """Its numbers in brackets, as LaTeX."""
    rows = r" \\ ".join(" & ".join(row) for row in cells(given.values))
    return rf"{given.symbol} = \begin{{bmatrix}} {rows} \end{{bmatrix}}"
