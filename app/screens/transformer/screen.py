"""From RNN attention to the Transformer: the same three moves, one idea changed at a time, on one sentence; and the
positions: their sinusoids, and what a network can do with sequences with and without them.
"""

import streamlit as st
import torch
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import encodings, weight_matrix
from regard.app.figures.measures import exact_finding, exactness, products, sweep
from regard.app.glossary.terms import definitions
from regard.app.models.models import pretrained, scores
from regard.app.models.registry import model_names
from regard.app.models.traces import REVERSER, WITHOUT_POSITIONS, readable, transformer, transformer_trace
from regard.app.screens.transformer.ideas import (
    IDEAS,
    PARTS,
    attentions,
    choose_sequence,
    idea,
    introduce,
    reordered,
    subject_or_stop,
)
from regard.app.theme import percent
from regard.app.ui.plots import plot, subject
from regard.app.ui.widgets import head, segments, select, table
from regard.app.visitor.sentence_input import begin
from regard.app.wording import plain_markdown
from regard.model.alignment import WordWeights, token_label
from regard.model.checkpoint import COMPARED, DEFAULT
from regard.model.evaluation import scores_record
from regard.model.synthetic.tasks import written
from regard.model.transformer.attention import sinusoids
from regard.model.transformer.trace import TransformerTrace

RECURRENT = "reverse-gru"
TITLES = {REVERSER: "With positions", WITHOUT_POSITIONS: "Without positions"}
SHOWN_POSITIONS = 64  # positions in the figures
SIZE = 64  # components of an encoding in the figures if no model is available
MEAN = "mean of all heads, last layer"
MISSING = (
    "The models that reverse numbers with positions and without are not available; `regard practise --network "
    "transformer --positions none` trains one without."
)


def positions() -> None:
    introduce("positions")
    here = [name for name in TITLES if readable(name)]
    if len(here) == len(TITLES):
        both()
    else:
        st.info(MISSING)
    with st.expander("Waves of many lengths", key="waves", on_change="rerun") as waves:
        if waves.open:
            curves(transformer(here[0]).config.embedding if here else SIZE)
    counting()
    definitions(*PARTS["positions"]["terms"])


def curves(size: int) -> None:
    """Draw the encodings and their dot products."""
    encoded = sinusoids(0, SHOWN_POSITIONS, torch.empty(0, size, dtype=torch.float64)).numpy()
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"Each position adds its own {size} numbers, sines and cosines that turn faster in the first components "
            "and slower in the last: $\\mathrm{PE}(t, 2i) = \\sin(t / 10000^{2i/D})$, and the cosine beside it."
        )
        plot(encodings(encoded), "encodings", f"The encodings of {SHOWN_POSITIONS} positions, {size} numbers each")
    with right:
        st.markdown(
            "The dot product of two encodings depends on how far apart they are and on nothing else, not even on "
            "which comes first: by itself it cannot tell two places before from two places after. But a shift by k "
            "positions turns each pair of sine and cosine by a fixed angle, the same everywhere. $W_Q$ and $W_K$ can "
            "learn that rotation, and so ask for “two places before me”."
        )
        plot(products(encoded), "products", "Dot products of positions by their distance, from several positions on")


def both() -> None:
    """Draw the same sequence reversed by both models."""
    st.header("Reversal, with positions and without")
    st.markdown(
        "Two Transformers of the same sizes learned to reverse numbers; one adds positions, the other adds nothing. "
        f"{_measured(REVERSER)} {_measured(WITHOUT_POSITIONS)}"
    )
    left, right = st.columns(2, gap="large")
    with left:
        numbers = choose_sequence()
    traces = {name: transformer_trace(name, written(numbers)) for name in TITLES}
    with right:
        head = select("Cross-attention", list(_weights(traces[REVERSER])), MEAN, "crosshead", width=320)
    for column, (name, found) in zip(st.columns(2, gap="large"), traces.items(), strict=True):
        with column:
            reversal = written(numbers[::-1])
            verdict = "the sequence reversed" if found.text == reversal else f"not {reversal}"
            st.markdown(f"**{TITLES[name]}**: it writes {plain_markdown(found.text) or 'nothing'}, {verdict}.")
            alt = f"{TITLES[name]}: where each step looks, {head}"
            rows, columns = (tuple(map(token_label, tokens)) for tokens in (found.target, found.source))
            matrix = WordWeights(rows, columns, _weights(found).get(head, found.weights), tuple(range(len(rows))))
            plot(weight_matrix(matrix), name, alt, subject(found))
    if others := [written(order) for order in reordered(numbers)]:
        texts = [transformer_trace(WITHOUT_POSITIONS, order).text for order in others]
        same = all(text == traces[WITHOUT_POSITIONS].text for text in texts)
        st.markdown(
            f"Given the same numbers in another order, {' and '.join(others)}, the model without positions writes "
            f"{' and '.join(plain_markdown(text) or 'nothing' for text in dict.fromkeys(texts))}"
            + (", the same. Its encoder cannot tell one order from another." if same else ".")
        )


def _weights(found: TransformerTrace) -> dict[str, Float[ndarray, "T S"]]:
    """Return the mean of the last layer's heads, and each head of the cross-attention, by name."""
    layers = enumerate(found.cross_attention.weights, start=1)
    heads = ((layer, head, weights) for layer, every in layers for head, weights in enumerate(every, start=1))
    return {MEAN: found.weights} | {f"layer {layer}, head {head}": weights for layer, head, weights in heads}


def _measured(name: str) -> str:
    """Return a model's share of exact sequences, as `practise` measured it."""
    exact = scores_record.part(scores(name), "task").get("exact")
    if not exact:
        return f"{TITLES[name]} it was not measured."
    return f"{TITLES[name]} **{percent(exact['share'])}** of {exact['sequences']:,} held-out sequences are right."


def counting() -> None:
    """Draw up to which length a recurrent network, which has to count its steps, reverses a sequence."""
    titles = {RECURRENT: "Recurrent, with attention", REVERSER: "Transformer, with positions"}
    sweeps = [measured for name, title in titles.items() if (measured := sweep(title, scores(name)))]
    if not sweeps:
        return
    with st.expander("A recurrent query has to count", key="counting", on_change="rerun") as count:
        if not count.open:
            return
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown(
                "Luong's decoder has no positions either. The query is its state, so the state itself must know how "
                "far it has come. The Transformer adds a vector for each position; one that never occurred in training "
                "is new to it. The lines show what both write there."
            )
            st.markdown(exact_finding(sweeps))
            label, page = "See where its attention leaves the line", "screens/learn/screen.py"
            st.page_link(page, label=label, query_params={"chapter": "10"})
        with right:
            plot(exactness(sweeps), "sweep", "Share of sequences reversed exactly, by length, a line for each model")


def summary(trace: TransformerTrace) -> None:
    """Show all kinds in one table."""
    introduce("summary")
    compared = COMPARED if COMPARED in model_names() else DEFAULT
    table(attentions(trace, pretrained(compared).config), "Luong's attention, self-attention and all heads of a layer")
    st.caption(
        "The counts include the matrices that score, that make what is summed and that join the heads ($W_O$), in "
        f"{compared} and in the Transformer shown."
    )


FIRST = next(iter(PARTS))  # also for a link that names no part
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
