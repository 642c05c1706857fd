"""From RNN attention to the Transformer: the same three moves, one idea changed at a time, on one sentence."""

import streamlit as st

from regard.app.models.models import pretrained
from regard.app.models.registry import model_names
from regard.app.screens.transformer.ideas import IDEAS, PARTS, attentions, idea, introduce, subject_or_stop
from regard.app.screens.transformer.positions import positions
from regard.app.ui.widgets import head, segments, table
from regard.app.visitor.sentence_input import begin
from regard.model.checkpoint import COMPARED, DEFAULT
from regard.model.transformer.trace import TransformerTrace

FIRST = next(iter(PARTS))


def summary(trace: TransformerTrace) -> None:
    """Show all kinds in one table."""
    introduce("summary")
    compared = COMPARED if COMPARED in model_names() else DEFAULT
    config = pretrained(compared).config
    table(attentions(trace, config), "Luong's attention, self-attention and all heads of a layer")
    st.caption(
        "The counts include the matrices that score, that make what is summed and that join the heads ($W_O$), in "
        f"{compared} and in the Transformer shown."
    )


asked = begin("transformer")
top = head(
    "What does a Transformer keep of attention?",
    "It still compares, weighs and sums. What changes, one idea at a time.",
    options=True,
)
titles = {name: part["title"] for name, part in PARTS.items()}
name = segments("One idea at a time", titles, FIRST, "part", bare=True) or FIRST
if name == "positions":
    positions()
else:
    trace = subject_or_stop(top, asked)
    if name in IDEAS:
        idea(top, name, trace)
    else:
        summary(trace)
