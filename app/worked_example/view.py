"""A worked example to work with: its matrices to change, ways to break it, and every step computed below."""

from pathlib import Path

import streamlit as st

from regard.app.components.matrices.mount import matrices
from regard.app.figures.weighted_sum import head_to_tail, stacked_sum
from regard.app.ui.plots import plot
from regard.app.worked_example.code import code
from regard.app.worked_example.edit_state import EditState
from regard.app.worked_example.edited_matrices import EditedMatrices
from regard.app.worked_example.markdown import equation, prose
from regard.app.worked_example.matrix_editor import editors, taken
from regard.app.worked_example.presets import breaking, controls, edit_states
from regard.model.examples.entries import Values
from regard.model.examples.example import Example

STYLE = Path(__file__).with_name("view.css")
NEEDED = {"H", "weights", "context"}  # variables of a weighted sum


def study(example: Example, *, key: str) -> Values:
    """Draw the example; a visitor's changes are kept for the visit and in the link's parameter `key`. Returns all
    values for the last valid matrices. The caller is a fragment, so that its drawings of the values change with
    them."""
    state = _state(example, key)
    st.html(STYLE)
    with st.container(key=f"{key}-study"):
        left, right = st.columns([4, 9], gap="large")
        with left, st.container(key=f"given-{key}", gap="small"):
            controls(state, key)
            editors(state, key)
        with right:
            breaking(state, key)
            values = example.run(state.matrices)
            _steps(state, values, key)
            code(example, state.matrices, key=key)
    _keep(state, key)
    return values


def _state(example: Example, key: str) -> EditState:
    """Return the visitor's state, or the one in the link, which is read once."""
    kept = edit_states(key)
    if example.name not in kept:
        link = "" if kept else st.query_params.get(key, "")
        kept[example.name] = EditState.of(example, EditedMatrices.from_link(link, example))
    kept[example.name] = taken(kept[example.name].about(example), key)
    return kept[example.name]


def _keep(state: EditState, key: str) -> None:
    """Write the setting into the link, leaving the link's other parameters alone."""
    link = state.setting.to_link()
    if st.query_params.get(key, "") != link:
        st.query_params[key] = link
    if not link and key in st.query_params:
        del st.query_params[key]


def _steps(state: EditState, values: Values, key: str) -> None:
    for number, step in enumerate(state.example.steps, 1):
        with st.container(key=f"{key}-step-{step.name}", gap="xsmall"):
            st.markdown(f"**{number}** &nbsp; {equation(step)} &nbsp; {prose(step.text)}")
            matrices(state.example, step, values, key=f"{key}-{state.example.name}-{step.name}")


def summed(example: Example, values: Values) -> None:
    """Draw the context of these values; nothing for an example without a single context."""
    if not values.keys() >= NEEDED or values["weights"].ndim != 1:
        return
    H, weights = values["H"], values["weights"]
    names = next(given.rows for given in example.givens if given.name == "H")
    if len(names) != len(H):
        names = tuple(f"row {row + 1}" for row in range(len(H)))
    left, right = st.columns(2) if H.shape[1] == 2 else (st.container(), None)
    with left:
        st.caption(
            "Each bar is a row of H times its weight. Those of one component are stacked, negative ones below 0; "
            "the diamond is the component of the context."
        )
        plot(stacked_sum(H, weights, names), f"{example.name}-sum", "The context, stacked from its weighted parts")
    if right:
        with right:
            st.caption(
                "The same sum as arrows: each weighted row begins where the one before ends, and the context leads "
                "from the origin to where the last one ends. Dotted arrows are the rows before weighting."
            )
            plot(head_to_tail(H, weights, names), f"{example.name}-arrows", "The weighted rows as arrows head to tail")
