"""One idea on the way to the Transformer: in words, as a picture of its weights, and in numbers that can be changed."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from app.components.matrices.number_format import apart
from app.figures.heatmap import weight_matrix
from app.figures.saturation import saturated
from app.screens.transformer.origin import origin
from app.screens.transformer.projection import MASKS, Projected, asked_by_decoder, asking_itself, masked
from app.screens.transformer.text import PARTS, moves
from app.theme import percent
from app.ui.definitions import definitions
from app.ui.plots import plot
from app.worked_example.markdown import prose
from app.worked_example.presets import edit_states
from app.worked_example.view import study
from model.alignment import WordWeights
from model.examples.entries import Values
from model.examples.example import Example
from model.examples.multi_head import HEADS
from model.examples.random_numbers import KEYS, saturation
from model.examples.self_attention import SCALED, SELF_ATTENTION

SIZES = tuple(2**power for power in range(10))  # of queries and keys, in the picture of what becomes of longer ones


class Idea(NamedTuple):
    """What is computed for a part of the screen."""

    example: Callable[..., Example]  # of what is projected, and of the kind where there are several
    pictures: Mapping[str, str]  # the steps that are drawn as weights, each with its title
    finding: Callable[[Values], str]  # what the numbers say, in a sentence
    kinds: Mapping[str, str] = MappingProxyType({})


def idea(name: str, projected: Projected) -> None:
    """Draw the part of this name."""
    chosen = IDEAS[name]
    if len(chosen.pictures) == 1:
        column, *places = st.columns(2, gap="large")
        text = column.container(key="idea")  # keeps its room
    else:
        text, places = st.container(), st.columns(len(chosen.pictures), gap="large")
    with text:
        st.markdown(PARTS[name].lead)
        moves(PARTS[name])
        kind = [choose(chosen.kinds)] if chosen.kinds else []
        example = chosen.example(projected, *kind)
        finding = st.empty()
        said = st.empty()
        if example.notes:
            st.caption("\n".join(f"- {prose(note)}" for note in example.notes))
        definitions(*PARTS[name].terms)
    if name == "scaling":
        longer()
    key = "-".join([name, *kind])
    values = study(example, key=key)
    finding.markdown(chosen.finding(values))
    said.caption(origin(example, projected, edit_states(key)[example.name].setting))
    for place, (step, title) in zip(places, chosen.pictures.items(), strict=True):
        with place:
            st.markdown(f"**{title}**, in percent")
            plot(small(between(example, step, values)), f"{name}-{step}", title)


def small(shown: WordWeights) -> go.Figure:
    """Without a colour scale beside it: every cell has its number. The camera has the room to the right."""
    figure = weight_matrix(shown)
    figure.update_traces(showscale=False)
    return figure.update_layout(margin={"r": 40})


def longer() -> None:
    """What becomes of the greatest weight where queries and keys are longer than on this page."""
    st.header("With longer vectors")
    measured = [saturation(size) for size in SIZES]
    longest = measured[-1]
    st.markdown(
        f"Random queries meet {KEYS} random keys each. With {longest.numbers} numbers in them, products spread by "
        f"{longest.spread:.1f} around 0, and the greatest weight is {percent(longest.greatest)} on average. Divided by "
        f"√d it is {percent(longest.greatest_divided)}."
    )
    plot(saturated(measured), "saturation", f"The greatest of {KEYS} weights by the size of query and key")
    st.header("Step by step, with short ones")


def between(example: Example, name: str, values: Values) -> WordWeights:
    """The weights of a step, with the names of its rows and columns; what a reader added is called by its number."""
    step = next(step for step in example.steps if step.name == name)
    rows, columns = (
        tuple(names[place] if place < len(names) else str(place + 1) for place in range(count))
        for names, count in zip((step.rows, step.columns), values[name].shape, strict=True)
    )
    return WordWeights(rows, columns, values[name], tuple(range(len(rows))))


def choose(kinds: Mapping[str, str]) -> str:
    """What to hide, where there is something to choose."""
    kind = st.segmented_control(
        "Hide",
        list(kinds),
        default=next(iter(kinds)),
        required=True,
        format_func=kinds.__getitem__,
        key="hide",
        bind="query-params",
    )
    return kind if kind in kinds else next(iter(kinds))


def _folded(values: Values) -> str:
    difference = np.abs(values["scores"] - values["general_scores"]).max()
    return f"S W Hᵀ and Q Kᵀ hold the same scores, but for rounding: their entries differ {apart(float(difference))}."


def _given_to_itself(values: Values) -> str:
    own = np.diagonal(values["weights"]).mean()
    return f"A word is among those it asks: here it gives {percent(own)} to itself, on average over the words."


def _calmed(values: Values) -> str:
    before, after = (values[name].max(axis=1).mean() for name in ("sharp", "weights"))
    return (
        f"On average over the rows, the greatest weight is {percent(before)} of the products as they are, and "
        f"{percent(after)} of those divided by {float(values['divisor']):.3g}."
    )


def _kept_from(values: Values) -> str:
    hidden = int((values["mask"] == 0).sum())
    return f"{hidden} of {values['mask'].size} scores are hidden, and {hidden} weights are exactly 0."


def _apart(values: Values) -> str:
    moved = np.abs(values["weights1"] - values["weights2"]).sum(axis=1).mean() / 2
    return f"From head 1 to head 2, {percent(moved)} of a row's weight goes to other words, on average over the rows."


IDEAS: Mapping[str, Idea] = {
    "cross": Idea(asked_by_decoder, {"weights": "What each step of the decoder gives"}, _folded),
    "self": Idea(
        partial(asking_itself, SELF_ATTENTION),
        {"weights": "What each word gives"},
        _given_to_itself,
    ),
    "scaling": Idea(
        partial(asking_itself, SCALED),
        {"sharp": "Products as they are", "weights": "Products divided by r"},
        _calmed,
    ),
    "masks": Idea(masked, {"weights": "What each word gives"}, _kept_from, MASKS),
    "heads": Idea(partial(asking_itself, HEADS), {"weights1": "Head 1", "weights2": "Head 2"}, _apart),
}
