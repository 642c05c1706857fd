"""Presets: other settings of a worked example: its own numbers, random ones, sizes, text, ways to break it."""

from dataclasses import replace
from html import escape

import streamlit as st

from regard.app.wording import plain_markdown
from regard.app.worked_example.edit_state import EditState
from regard.app.worked_example.edited_matrices import LAST_SEED, OWN, EditedMatrices
from regard.app.worked_example.matrix_editor import taken
from regard.app.worked_example.number_input import LONGEST_TEXT, written
from regard.model.examples.example import MOST_ROWS
from regard.model.examples.score_presets import DIVISOR, PRESETS, presets, scaling

CLOSE = 1e-6  # tolerance for a divisor that counts as √d
UNBROKEN = "Each of these changes the matrices so that something breaks. Choose one, and look at the weights."
WHOLE = "Change any given number and see what follows from it."
STALE = "A marked cell has no number yet, so these are still the steps of the last valid matrices."


def edit_states(key: str) -> dict[str, EditState]:
    """Return the visitor's edit state of each example, by name."""
    return st.session_state.setdefault(f"{key}-edit-states", {})


def _now(state: EditState, key: str) -> EditState:
    """Return the state with the latest typing; a cell and a button may come in one message."""
    return taken(edit_states(key)[state.example.name], key)


def _turn(name: str, key: str, setting: EditedMatrices) -> None:
    """Make new tables for another setting of the example with this name, in a callback."""
    edit_states(key)[name] = edit_states(key)[name].turned(setting)


def controls(state: EditState, key: str) -> None:
    """Draw the controls for other numbers, and for the example's own."""
    name, setting = state.example.name, state.setting
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{key}-controls"):
        st.button(
            "Reset",
            icon=":material/undo:",
            on_click=_turn,
            args=(name, key, EditedMatrices()),
            help="Restore its numbers",
        )
        following = setting.drawn(setting.seed % LAST_SEED + 1)
        st.button("Randomise", icon=":material/casino:", on_click=_turn, args=(name, key, following))
        st.session_state[f"{key}-seed"] = setting.seed
        st.number_input(
            "Seed",
            OWN,
            LAST_SEED,
            key=f"{key}-seed",
            width=110,
            on_change=_seed,
            args=(state, key),
            help="A seed always gives the same random numbers. 0 keeps the example's own numbers.",
        )
        with st.popover("Sizes", icon=":material/open_with:"):
            _sizes(state, key)
        with st.popover("As text", icon=":material/notes:"):
            _text(state, key)


def _seed(state: EditState, key: str) -> None:
    _turn(state.example.name, key, state.setting.drawn(st.session_state[f"{key}-seed"] or OWN))


def _sizes(state: EditState, key: str) -> None:
    """Draw the sizes. Existing numbers keep their place; new ones are random, from the seed."""
    sizes = state.example.sizes_of(state.matrices)
    for letter, counted in state.example.sizes.items():
        name = f"{key}-size-{letter}"
        st.session_state[name] = sizes[letter]
        st.number_input(f"{letter}: {counted}", 1, MOST_ROWS, key=name, on_change=_size, args=(state, key, letter))


def _size(state: EditState, key: str, letter: str) -> None:
    count = st.session_state[f"{key}-size-{letter}"] or 1
    _turn(state.example.name, key, _now(state, key).setting.resized(state.example, letter, count))


def _text(state: EditState, key: str) -> None:
    """Show all matrices as text, to copy or to replace."""
    name = f"{key}-text-{state.version}"
    st.session_state.setdefault(name, written(state.example, state.matrices))
    st.text_area(
        "A line for each matrix; press Ctrl+Enter to use what you wrote",
        key=name,
        height=220,
        on_change=_replace,
        args=(state, key, name),
        max_chars=LONGEST_TEXT,
    )
    if state.refused:
        st.error(plain_markdown(state.refused))


def _replace(state: EditState, key: str, field: str) -> None:
    """Replace the matrices by the text, in a callback; errors are shown and the text stays."""
    edit_states(key)[state.example.name] = state.written(st.session_state[field])


def breaking(state: EditState, key: str) -> None:
    """Draw the ways to break the scores, and describe the effect in a line."""
    offered = [preset.name for preset in presets(state.example)]
    divided = DIVISOR in state.matrices
    if offered and divided:
        left, right = st.columns([5, 3], vertical_alignment="bottom")
    else:
        left = right = st.container()
    if offered:
        with left:
            _presets(state, key, offered)
    if divided:
        with right:
            _scaling(state, key)
    text = PRESETS[state.setting.preset].text if state.setting.preset else UNBROKEN if offered else WHOLE
    said = STALE if state.mistakes else state.refused or text
    st.html(f'<p class="about told">{escape(said) or "&nbsp;"}</p>')


def _presets(state: EditState, key: str, offered: list[str]) -> None:
    st.session_state[f"{key}-preset"] = state.setting.preset or None
    st.pills(
        "Break it",
        offered,
        format_func=lambda name: PRESETS[name].title,
        key=f"{key}-preset",
        on_change=_preset,
        args=(state, key),
    )


def _scaling(state: EditState, key: str) -> None:
    root = scaling(state.example, state.matrices)
    st.session_state[f"{key}-scaled"] = abs(float(state.matrices[DIVISOR]) - root) < CLOSE
    st.toggle(
        f"Divide scores by √{round(root**2)}",
        key=f"{key}-scaled",
        on_change=_scale,
        args=(state, key),
        help="The Transformer's scaling: √d, where d numbers are multiplied and added in a score.",
    )


def _preset(state: EditState, key: str) -> None:
    _turn(state.example.name, key, replace(_now(state, key).setting, preset=st.session_state[f"{key}-preset"] or ""))


def _scale(state: EditState, key: str) -> None:
    _turn(state.example.name, key, _now(state, key).setting.scaled(state.example, st.session_state[f"{key}-scaled"]))
