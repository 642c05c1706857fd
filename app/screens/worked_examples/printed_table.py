"""Printed table: the numbers that a document prints beside those its own matrices give, a line for each step.

A number that does not follow from those printed before it is a slip; others only carry a slip on.
"""

import numpy as np
import streamlit as st

from regard.app.components.matrices.number_format import fixed, places, typeset
from regard.app.components.matrices.printed_values import beside
from regard.app.worked_example.paper import symbol
from regard.model.examples.entries import grid
from regard.model.examples.example import Example, retold, slips

SLIP, CARRIED = "a new mistake", "right, but from numbers that were wrong"


def printed_table(example: Example) -> None:
    """Draw the table for the example's own matrices; wrong printed numbers are crossed out."""
    lines = "".join(_line(example, number) for number, step in enumerate(example.steps) if step.printed is not None)
    st.html(
        '<div class="printed-table" role="region" tabindex="0" aria-label="As printed and as computed"><table><thead>'
        '<tr><td></td><th scope="col">as printed</th><th scope="col">from its earlier numbers</th>'
        f'<th scope="col">as computed</th></tr></thead><tbody>{lines}</tbody></table></div>'
    )
    st.html(f'<p class="about printed-key"><s class="slip">0.00</s> {SLIP} &ensp; <s>0.00</s> {CARRIED}</p>')


def _line(example: Example, number: int) -> str:
    step, values = example.steps[number], example.run()
    beside_step = beside(example, step, values)
    own = np.atleast_2d(slips(example, step))
    printed = [
        [_number(value, wrong, step.digits, slip) for value, wrong, slip in zip(numbers, marks, mine, strict=True)]
        for numbers, marks, mine in zip(beside_step.printed, beside_step.wrong, own, strict=True)
    ]
    following = [[_number(value, False, step.digits) for value in row] for row in grid(retold(example)[step.name])]
    computed = [[_number(value, False, places(beside_step.computed)) for value in row] for row in beside_step.computed]
    return (
        f'<tr><th scope="row">{symbol(step.symbol)} = {symbol(step.formula)}</th>'
        f"<td>{_rows(printed)}</td><td>{_rows(following)}</td><td>{_rows(computed)}</td></tr>"
    )


def _number(value: np.floating | float, wrong: bool, after: int, slip: bool = False) -> str:
    text = typeset(fixed(float(value), after))
    if not wrong:
        return f"<span>{text}</span>"
    return f'<s class="slip" title="{SLIP}">{text}</s>' if slip else f'<s title="{CARRIED}">{text}</s>'


def _rows(numbers: list[list[str]]) -> str:
    return "".join(f'<div class="row">{"".join(row)}</div>' for row in numbers)
