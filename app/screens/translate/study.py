"""Figures of Translate to study and save: the attention matrix, the posterior's, and how a context is composed."""

import streamlit as st

from regard.app.figures.context import composition
from regard.app.figures.heatmap import heatmap
from regard.app.models.analyses import afterwards
from regard.app.ui.plots import plot, subject
from regard.app.visitor.question import Question, telling_step
from regard.app.wording import MEAN_OF_HEADS, plain_markdown
from regard.model.alignment import AFTER, READ_AS, ROWS, token_label
from regard.model.trace import AnyTrace, Trace

ROWS_ARE = {"output": "produced", "input": "fed in", AFTER: "produced, posterior"}


@st.fragment
def study(shown: AnyTrace, question: Question) -> None:
    """Show figures for a slide or a closer look."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        units = st.segmented_control("Matrix of", ["words", "tokens"], default=question.units, required=True)
        ways = READ_AS if isinstance(shown, Trace) else ROWS
        rows = st.segmented_control(
            "Rows are named by the word",
            ways,
            default=question.rows if question.rows in ways else ROWS[0],
            required=True,
            format_func=ROWS_ARE.__getitem__,
        )
    if isinstance(shown, Trace) and rows == AFTER:
        st.caption("The posterior: what the weights would be once each word is known.")
        drawn = heatmap(afterwards(shown).over(shown.alignment), units, ROWS[0], AFTER)
        plot(drawn, "posterior", "Posterior attention: by step and source", subject(shown))
    else:
        drawn = heatmap(shown.alignment, units, rows)
        plot(drawn, "attention", "Attention matrix: weights by step and source", subject(shown))
    if isinstance(shown, Trace):
        _context(shown)
    else:
        st.caption(MEAN_OF_HEADS)


def _context(shown: Trace) -> None:
    step = st.select_slider(
        "Context of step",
        range(len(shown.target)),
        value=telling_step(shown) - 1,
        format_func=lambda t: f"{t + 1} {plain_markdown(token_label(shown.target[t]))}",
    )
    st.caption(
        "Each bar is a component of the context, stacked from the annotations times their weights; "
        "the grey mark is the component itself. The components farthest from 0 are shown."
    )
    plot(composition(shown, step), "context", f"How the context of step {step + 1} is composed", subject(shown))
