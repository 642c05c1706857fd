"""One idea on the way to the Transformer: in words, as a picture of its weights, and in numbers that open."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from regard.app.figures.heatmap import weight_matrix
from regard.app.figures.transformer import saturated
from regard.app.models.models import title
from regard.app.screens.transformer.text import PARTS, moves
from regard.app.screens.transformer.trained import choose_place
from regard.app.theme import percent
from regard.app.ui.definitions import definitions
from regard.app.ui.plots import plot
from regard.app.ui.widgets import segments
from regard.app.wording import counted, plain_markdown
from regard.app.worked_example.study import steps
from regard.app.worked_example.trained_head import HeadPlace, asked_of, asked_with_padding, joined
from regard.model.alignment import WordWeights
from regard.model.examples.trained_attention import ROWS, SHOWN, Worked, worked_head
from regard.model.examples.transformer import KEYS, saturation
from regard.model.transformer.trace import TransformerTrace

SIZES = tuple(2**power for power in range(10))  # sizes of queries and keys in the figure about longer ones
MASKS = {"causal": "what comes later", "padding": "padding", "none": "nothing"}
SMALL = {  # the same idea on matrices small enough to change by hand
    "cross": "cross-attention",
    "self": "self-attention",
    "scaling": "scaled",
    "masks": "masked",
    "heads": "heads",
}

AFTER_VALUES = slice(3, None)  # the steps after queries, keys and values


class Idea(NamedTuple):
    """The calculation behind a part of the screen."""

    attention: str  # its attention
    worked: Callable[[TransformerTrace, HeadPlace], Worked]
    finding: Callable[[Worked], str]  # the finding in a sentence
    pictures: Mapping[str, str] = MappingProxyType({"weights": "What each row gives"})
    steps: slice = slice(None)  # the steps shown
    of_head: bool = True  # whether the numbers depend on the head chosen


def idea(name: str, trace: TransformerTrace) -> None:
    """Draw the part of this name."""
    chosen = IDEAS[name]
    if len(chosen.pictures) == 1:
        text, *places = st.columns(2, gap="large")
    else:
        text, places = st.container(), []
    with text:
        st.markdown(PARTS[name].lead)
        moves(PARTS[name])
        hidden = choose_mask() if name == "masks" else ""
        attention = "encoder" if hidden == "padding" else chosen.attention
        place = choose_place(trace, attention, chosen.of_head)
        worked = _masked(trace, place, hidden) if hidden else chosen.worked(trace, place)
        st.markdown(chosen.finding(worked))
    with places[0] if places else st.container():
        _pictures(name, trace, place, worked)
    if name == "scaling":
        longer()
    st.header("Step by step")
    st.caption(origin(trace, place, attention, chosen.of_head))
    steps(worked.example, worked.values, name, name, chosen.steps, printed=False)
    definitions(*PARTS[name].terms)
    if name in SMALL:
        st.page_link(
            "screens/worked_examples/screen.py",
            label="A worked example, small enough for paper",
            query_params={"example": SMALL[name]},
        )


def _pictures(name: str, trace: TransformerTrace, place: HeadPlace, worked: Worked) -> None:
    """Draw the weights as heatmaps: for the steps, or for all heads side by side."""
    shown = {}
    if name == "heads":
        layer = trace.cross_attention.weights[place.layer]
        labels = asked_of(trace, "cross", place)
        shown = {f"Head {head + 1}": (labels.rows, labels.columns, weights) for head, weights in enumerate(layer)}
    else:
        for step, called in IDEAS[name].pictures.items():
            about = next(each for each in worked.example.steps if each.name == step)
            shown[called] = about.rows, about.columns, worked.values[step]
    columns = []
    for number, (called, (rows, names, weights)) in enumerate(shown.items()):
        if number % 2 == 0:  # pair by pair, so that one column has them in order
            columns = st.columns(min(2, len(shown)), gap="large")
        with columns[number % len(columns)]:
            st.markdown(f"**{called}**, in percent")
            key = f"{name}-{called.replace(' ', '-').lower()}"
            plot(small(WordWeights(rows, names, weights, tuple(range(len(rows))))), key, called)


def small(shown: WordWeights) -> go.Figure:
    """Draw a matrix without a colour scale: every cell has its number, and the toolbar uses the room to the right."""
    figure = weight_matrix(shown)
    figure.update_traces(showscale=False)
    return figure.update_layout(margin={"r": 40})


def origin(trace: TransformerTrace, place: HeadPlace, attention: str, of_head: bool) -> str:
    """Say whose numbers these are, of a head or of its layer, which of them are shown, and how they were computed."""
    where = {
        "cross": "the decoder's attention to the source",
        "encoder": "the encoder's self-attention",
        "decoder": "the decoder's self-attention",
    }[attention]
    whole, own = trace.annotations.shape[1], trace.attention(attention).queries.shape[3]
    rows = f" The first {ROWS} rows are shown." if len(trace.target) > ROWS or len(trace.source) > ROWS else ""
    head = f", head {place.head + 1}" if of_head else ""
    sizes = f", queries, keys and values {own}" if of_head else ""
    rest = ", and a matrix R holds what the others add to a sum" if of_head else ""
    return (
        f"The trained model “{plain_markdown(title(trace.maker.name))}”, {where}, layer {place.layer + 1}{head}: its "
        f"own vectors and parameters, recomputed in NumPy. Vectors have {whole} components{sizes}; {SHOWN} of them are "
        f"shown{rest}. Choose other components to see them.{rows}"
    )


def longer() -> None:
    """Show what happens to the greatest weight as queries and keys get longer."""
    st.header("With random vectors of any length")
    measured = [saturation(size) for size in SIZES]
    longest = measured[-1]
    st.markdown(
        f"Why the root: random queries meet {KEYS} random keys each. With {longest.numbers} numbers in them, products "
        f"spread by {longest.spread:.1f} around 0, and the greatest weight is {percent(longest.greatest)} on average. "
        f"Divided by √d it is {percent(longest.greatest_divided)}."
    )
    plot(saturated(measured), "saturation", f"The greatest of {KEYS} weights by the size of query and key")


def choose_mask() -> str:
    """Choose what to hide."""
    kind = segments("Hide", MASKS, "causal", "hide")
    return kind if kind in MASKS else "causal"


def _masked(trace: TransformerTrace, place: HeadPlace, kind: str) -> Worked:
    if kind == "padding":
        return worked_head(asked_with_padding(trace, place), place.block, hidden=True)
    return worked_head(asked_of(trace, "decoder", place, masked=kind == "causal"), place.block, hidden=True)


def _folded(worked: Worked) -> str:
    size = round(float(worked.values["divisor"]) ** 2)
    return (
        "Queries and keys only ever meet in a product, so $W_Q$ and $W_K$ could be folded into one matrix, $W = "
        "W_Q^\\top W_K$: $X W H^\\top$ is Luong's general score, and holds the same products. Its rank is at most "
        f"{size}, the size of a query."
    )


def _given_to_itself(worked: Worked) -> str:
    own = np.diagonal(worked.values["weights"]).mean()
    return f"A word also asks itself: here it gives {percent(own)} to itself, on average over the rows shown."


def _calmed(worked: Worked) -> str:
    before, after = (worked.values[name].max(axis=1).mean() for name in ("sharp", "weights"))
    return (
        f"On average over the rows, the greatest weight would be {percent(before)} with the products as they are; "
        f"divided by {float(worked.values['divisor']):.3g}, it is {percent(after)}. The model was trained with the "
        "division: without it, it would have learned other matrices."
    )


def _kept_from(worked: Worked) -> str:
    mask = worked.values["mask"]
    hidden = int((mask == 0).sum())
    are = "is" if hidden == 1 else "are"
    return f"{hidden} of {mask.size} scores {are} hidden, and {counted(hidden, 'weight')} {are} exactly 0."


def _added(worked: Worked) -> str:
    parts = {name: value for name, value in worked.values.items() if name.startswith("A_")}
    return (
        f"Each of the {len(parts)} heads of this layer looks in its own way. $W_O$, cut into a part for each head, "
        "turns what a head found into what it adds, and the results are summed."
    )


def _carried(worked: Worked) -> str:
    before, added = (float(np.linalg.norm(worked.values[name], axis=1).mean()) for name in ("x", "O"))
    return (
        f"In the components shown, a row of the stream has length {before:.2f} on average before, and what attention "
        f"adds has length {added:.2f}."
    )


def _head(attention: str, unscaled: bool = False) -> Callable[[TransformerTrace, HeadPlace], Worked]:
    return lambda trace, place: worked_head(asked_of(trace, attention, place), place.block, unscaled=unscaled)


IDEAS: Mapping[str, Idea] = {
    "cross": Idea("cross", _head("cross"), _folded, {"weights": "What each step of the decoder gives"}),
    "self": Idea("encoder", _head("encoder"), _given_to_itself, {"weights": "What each token gives"}),
    "scaling": Idea(
        "cross",
        _head("cross", unscaled=True),
        _calmed,
        {"sharp": "Products as they are", "weights": "Products divided by √d"},
        AFTER_VALUES,
    ),
    "masks": Idea("decoder", _head("decoder"), _kept_from, {"weights": "What each token gives"}, AFTER_VALUES),
    "heads": Idea("cross", joined, _added, {}, slice(2)),
    "residual": Idea("cross", joined, _carried, {}, slice(2, None), of_head=False),
}
