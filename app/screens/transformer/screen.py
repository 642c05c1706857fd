"""From RNN attention to the Transformer: the same three moves, one idea changed at a time, on one sentence."""

import streamlit as st

from app.models.traces import trace
from app.screens.transformer.comparison import attentions
from app.screens.transformer.ideas import idea
from app.screens.transformer.projection import Projected, of_trace
from app.screens.transformer.text import PARTS, moves
from app.ui.heading import heading
from app.ui.tables import table
from app.visitor.sentence_input import begin, examples, model_field, question_or_stop, readable, sentence_field

FIRST, *_, LAST = PARTS


@st.fragment
def parts(projected: Projected) -> None:
    """A row of ideas, and the one that is chosen."""
    name = st.segmented_control(
        "One idea at a time",
        list(PARTS),
        default=FIRST,
        required=True,
        format_func=lambda name: PARTS[name].title,
        key="part",
        bind="query-params",
        label_visibility="collapsed",
    )
    if name == LAST:
        summary(projected)
        return
    idea(name if name in PARTS else FIRST, projected)


def summary(projected: Projected) -> None:
    """All kinds in one table."""
    st.markdown(PARTS[LAST].lead)
    moves(PARTS[LAST])
    table(attentions(projected), "Luong's attention, self-attention and two heads")
    st.caption(
        "Counted are the matrices that score, that make what is summed and that mix the heads ($W_O$), without biases."
    )


asked = begin("transformer")
model = readable(asked.model)
with st.container(horizontal=True, vertical_alignment="center", key="header"):
    heading(
        "From RNN attention to the Transformer",
        "Compare, weigh, sum: what a Transformer keeps of attention and what it changes, one idea at a time.",
    )
    model_field(asked)
sentence_field(model)
examples(model)
question = question_or_stop(asked, model)
projected = of_trace(trace(question.model, question.sentence, question.given))
if projected.tokens > len(projected.words):
    st.caption(
        f"The sentence has {projected.tokens} tokens. The first {len(projected.words)} are shown, so that they fit."
    )
parts(projected)
