"""What a document prints, beside what its own matrices give: a line for each step that it has numbers for."""

from html import escape
from pathlib import Path

import numpy as np
import streamlit as st

from app.components.matrices.number_format import fixed, places, typeset
from app.components.matrices.plain_symbols import pieces
from app.components.matrices.printed_values import beside
from model.examples.example import Example

STYLE = Path(__file__).with_name("printed_table.css")
TAGS = {"": "i", "sub": "sub", "sup": "sup", "word": "span"}


def printed_table(example: Example) -> None:
    """Draw it for the example's own matrices; numbers that are printed wrong are crossed out."""
    lines = "".join(_line(example, number) for number, step in enumerate(example.steps) if step.printed is not None)
    st.html(STYLE)
    st.html(
        '<div class="printed-table" role="region" tabindex="0" aria-label="As printed and as computed"><table><thead>'
        '<tr><td></td><th scope="col">as printed</th><th scope="col">as computed</th></tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def _line(example: Example, number: int) -> str:
    step, values = example.steps[number], example.run()
    found = beside(example, step, values)
    printed = [
        [_number(value, wrong, step.digits) for value, wrong in zip(numbers, marks, strict=True)]
        for numbers, marks in zip(found.printed, found.wrong, strict=True)
    ]
    computed = [[_number(value, False, places(found.computed)) for value in row] for row in found.computed]
    return (
        f'<tr><th scope="row">{_formula(step.symbol)} = {_formula(step.formula)}</th>'
        f"<td>{_rows(printed)}</td><td>{_rows(computed)}</td></tr>"
    )


def _number(value: np.floating | float, wrong: bool, after: int) -> str:
    text = typeset(fixed(float(value), after))
    return f'<s title="printed wrong">{text}</s>' if wrong else f"<span>{text}</span>"


def _rows(numbers: list[list[str]]) -> str:
    return "".join(f'<div class="row">{"".join(row)}</div>' for row in numbers)


def _formula(latex: str) -> str:
    return "".join(f"<{TAGS[piece.kind]}>{escape(piece.text)}</{TAGS[piece.kind]}>" for piece in pieces(latex))
