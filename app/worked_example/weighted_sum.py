"""A worked example's context, drawn as the weighted sum that it is."""

import streamlit as st

from app.figures.weighted_sum import head_to_tail, stacked_sum
from app.ui.plots import plot
from model.examples.entries import Values
from model.examples.example import Example

NEEDED = {"H", "weights", "context"}


def summed(example: Example, values: Values) -> None:
    """Draw the context of these values; of an example with one context alone, or else nothing."""
    if not values.keys() >= NEEDED or values["weights"].ndim != 1:
        return
    H, weights = values["H"], values["weights"]
    names = next(given.rows for given in example.givens if given.name == "H")
    if len(names) != len(H):
        names = tuple(f"row {row + 1}" for row in range(len(H)))
    left, right = st.columns(2) if H.shape[1] == 2 else (st.container(), None)
    with left:
        st.caption(
            "Each bar is a row of H times its weight. Those of a component stand on each other, negative ones below 0; "
            "the diamond is the component of the context."
        )
        plot(stacked_sum(H, weights, names), f"{example.name}-sum", "The context, stacked from its weighted parts")
    if right:
        with right:
            st.caption(
                "The same as arrows: each weighted row begins where the one before ends, and the context leads from "
                "the origin to where the last one ends. Dotted are the rows before they were weighed."
            )
            plot(head_to_tail(H, weights, names), f"{example.name}-arrows", "The weighted rows as arrows head to tail")
