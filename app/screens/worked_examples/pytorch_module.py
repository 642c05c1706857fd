"""A PyTorch module that fails silently and its repaired version, both run on the same numbers."""

import inspect
from pathlib import Path

import streamlit as st
import torch

from regard.app.theme import component, percent
from regard.app.ui.widgets import table
from regard.app.wording import counted
from regard.app.worked_example.study import source
from regard.model.examples.pytorch_module import EntryByEntry, GeneralAttention, gradient, outcome, trial

POSITIONS, SIZE, SEED = 5, 4, 0  # the tutorial's example has five positions, and 256 numbers in a vector
AS_PRINTED = Path(__file__).with_name("tutorial_module.txt")
TUTORIALS, REPAIRED = "The tutorial's module", "Repaired"
FOUND = """\
W of the tutorial's module has no gradient: autograd finds no path to it, so training never changes it. A query with as
many steps as there are positions fits by accident: one context comes out, of the same shape as for a single step, and
no error. Each position was then scored by another query, so these weights belong to no step of the decoder. Any other
number above 1 raises an error in PyTorch. The repaired module takes one step at a time, and says so."""


def repaired() -> None:
    """Draw both modules and their differences."""
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{TUTORIALS}**, in our own code that does the same")
        source(inspect.getsource(EntryByEntry))
        st.markdown(
            "W is declared and never used, so the score is the dot product, as the tutorial's comment says; what "
            "Luong, and this app, call the general score would use W. If the query has several steps, each position "
            "meets a different step."
        )
        with st.expander("The tutorial's own code"):
            source(AS_PRINTED.read_text(encoding="utf-8"))
    with right:
        st.markdown(f"**{REPAIRED}**: W is used, and one query meets every position")
        source(inspect.getsource(GeneralAttention))
    st.header("Both on the same numbers")
    table(rows(), f"Both modules on {POSITIONS} random positions with {SIZE} numbers in a vector")
    st.markdown(FOUND)


def rows() -> list[dict[str, str]]:
    """Return what both modules do with the same random numbers, a row for each question."""
    made = trial(POSITIONS, SIZE, SEED)
    annotations, first = made.annotations, made.queries[:, 0]
    lengths = (gradient(made.tutorials, made.queries, annotations), gradient(made.repaired, first, annotations))
    rows = [("Gradient of W", *("None" if one is None else f"length {component(one)}" for one in lengths))]
    for steps in (1, POSITIONS - 1, POSITIONS):
        queries = made.queries[:, :steps]
        one = outcome(made.repaired, first if steps == 1 else queries, annotations)
        rows.append((f"Query of {counted(steps, 'step')}", outcome(made.tutorials, queries, annotations), one))
    with torch.no_grad():
        weights = (made.tutorials(made.queries, annotations)[1], made.repaired(first, annotations)[1])
    shares = (" · ".join(map(percent, one[0].tolist())) for one in weights)
    rows.append(("Weights, of all queries at once or of the first", *shares))
    return [dict(zip(("Asked", TUTORIALS, REPAIRED), row, strict=True)) for row in rows]
