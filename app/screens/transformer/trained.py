"""The trained Transformer's own heads on the visitor's sentence, and the choice of one."""

from collections.abc import Sequence

import streamlit as st

from regard.app.models.models import title
from regard.app.models.registry import languages
from regard.app.models.traces import transformer, transformer_beside, transformer_trace
from regard.app.screens.transformer.sequence import choose_sequence
from regard.app.visitor.fields import examples, sentence_field
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import question_or_stop
from regard.app.wording import between, plain_markdown
from regard.app.worked_example.trained_head import HeadPlace
from regard.model.examples.trained_attention import COLUMNS, SHOWN
from regard.model.synthetic.tasks import written
from regard.model.transformer.trace import TransformerTrace

MISSING = (
    "No readable Transformer is available. `regard practise --network transformer` trains one that "
    "reverses numbers, and `regard train --network transformer` one that translates."
)


def subject_or_stop(asked: Question) -> TransformerTrace:
    """Trace the visitor's sentence, by a Transformer with its languages or else one that reverses numbers."""
    name = transformer_beside(asked.model)
    if not name:
        st.info(MISSING)
        st.stop()
    model = transformer(name)
    if languages(name) == languages(asked.model):
        sentence_field(model)
        examples(model)
        question = question_or_stop(asked, model)
        trace = transformer_trace(name, question.sentence, question.given)
    else:
        pair = languages(asked.model)
        wanted = f" that translates {between(pair)}" if pair else ""
        st.info(f"No Transformer{wanted} is available. This is “{plain_markdown(title(name))}”, on your own numbers.")
        trace = transformer_trace(name, written(choose_sequence()))
    if max(len(trace.source), len(trace.target)) > COLUMNS:
        st.info(
            f"These steps are drawn for up to {COLUMNS} tokens; this sentence and its translation have "
            f"{len(trace.source)} and {len(trace.target)}. Type a shorter sentence."
        )
        st.stop()
    return trace


def choose_place(trace: TransformerTrace, attention: str, of_head: bool) -> HeadPlace:
    """Choose a layer, a head unless the numbers are of all, and the components of the vectors."""
    layers, heads = trace.attention(attention).weights.shape[:2]
    firsts = range(0, trace.annotations.shape[1], SHOWN)
    numbers = [str(number + 1) for number in range(max(layers, heads))]
    names = [f"{first + 1} to {first + SHOWN}" for first in firsts]
    with st.container(horizontal=True, vertical_alignment="bottom", key="place"):
        layer = st.selectbox("Layer", numbers[:layers], layers - 1, key="trained_layer", bind="query-params", width=150)
        head = st.selectbox(
            "Head", numbers[:heads], key="trained_head", bind="query-params", width=150, disabled=not of_head
        )
        shown = st.selectbox("Components", names, key="components", bind="query-params", width=150)
    return HeadPlace(_index(layer, numbers[:layers]), _index(head, numbers[:heads]), _index(shown, names))


def _index(chosen: str | None, names: Sequence[str]) -> int:
    """Return the index of the chosen name; the first if the link has none."""
    return names.index(chosen) if chosen in names else 0
