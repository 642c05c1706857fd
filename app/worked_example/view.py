"""A worked example to work with: its matrices to change, ways to break it, and every step computed below."""

from collections.abc import Sequence

import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.mount import matrices
from regard.app.figures.context import blend
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.app.visitor.sentence_input import went_back
from regard.app.worked_example.code import code
from regard.app.worked_example.edit_state import EditState
from regard.app.worked_example.edited_matrices import EditedMatrices
from regard.app.worked_example.markdown import equation, prose
from regard.app.worked_example.matrix_editor import editors, taken
from regard.app.worked_example.presets import breaking, controls, edit_states
from regard.model.examples.entries import Values
from regard.model.examples.example import Example

NEEDED = {"H", "weights", "context"}  # variables of a weighted sum


def study(example: Example, *, key: str) -> Values:
    """Draw the example; a visitor's changes are kept for the visit and in the link's parameter `key`. Returns all
    values for the last valid matrices. The caller is a fragment, so that its drawings of the values change with
    them."""
    state = _state(example, key)
    with st.container(key=f"{key}-study"):
        left, right = st.columns([4, 9], gap="large")
        with left, st.container(key=f"given-{key}", gap="small"):
            controls(state, key)
            editors(state, key)
        with right:
            breaking(state, key)
            values = example.run(state.matrices)
            steps(example, values, key, f"{key}-{example.name}")
            code(example, state.matrices, key=key)
    _keep(state, key)
    return values


def _state(example: Example, key: str) -> EditState:
    """Return the visitor's state, or the one in the link, which is read at first and after Back."""
    kept = edit_states(key)
    if went_back():
        kept.clear()
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


def steps(
    example: Example, values: Values, key: str, each: str, which: slice = slice(None), printed: bool = True
) -> None:
    """Draw each step as its matrices, every number of which opens; `printed` adds the numbers that the document prints.
    The keys of the steps begin with `key`, those of their matrices with `each`."""
    for number, step in enumerate(example.steps[which], 1):
        with st.container(key=f"{key}-step-{step.name}", gap="xsmall"):
            st.markdown(f"**{number}** &nbsp; {equation(step)} &nbsp; {prose(step.text)}")
            matrices(example, step, values, key=f"{each}-{step.name}", printed=printed)


def summed(example: Example, values: Values) -> None:
    """Draw the context of these values; nothing for an example without a single context."""
    if not values.keys() >= NEEDED or values["weights"].ndim != 1:
        return
    H, weights = values["H"], values["weights"]
    names = next(given.rows for given in example.givens if given.name == "H")
    if len(names) != len(H):
        names = tuple(f"row {row + 1}" for row in range(len(H)))
    st.caption(
        "Each row of H times its weight is its share: the smaller the weight, the paler. Ribbons as wide as weights "
        "lead into the context, each of whose cells is the sum of that cell in all shares."
    )
    plot(blend(H, weights, names), f"{example.name}-sum", alt(names, weights))


def alt(names: Sequence[str], weights: Float[ndarray, " S"]) -> str:
    """Describe the picture of the context in words."""
    shares = ", ".join(f"{percent(float(weight))} of {name}" for name, weight in zip(names, weights, strict=True))
    return f"The context as a blend of the rows of H: {shares}"
