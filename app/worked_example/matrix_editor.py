"""The matrices of a worked example as tables to type into; typed text stays, right or wrong."""

from dataclasses import replace
from html import escape

import pandas as pd
import streamlit as st

from regard.app.components.matrices.payload import labels
from regard.app.worked_example.edit_state import EditState
from regard.app.worked_example.markdown import prose
from regard.app.worked_example.number_input import LONGEST_CELL, Cells
from regard.model.examples.example import Given

ROW_HEIGHT = 29  # pixels
NARROW, WIDE, NAMED = 50, 86, 62  # of a column with numbers of few digits, of many, and of row names
FEW = 6  # characters
WRONG = "⚠"
NAME = "name"  # of the column with row names
STATED = "ours"
Marks = tuple[set[int], set[int]]  # the marked rows and columns


def taken(state: EditState, key: str) -> EditState:
    """Return the state with the latest typing; tables that Streamlit forgot keep their contents."""
    forgotten = [name for name in state.typed if _key(state, name, key) not in st.session_state]
    state = replace(state, shown={**state.shown, **{name: state.typed[name] for name in forgotten}})
    return state.edited({name: _typed(shown, _key(state, name, key)) for name, shown in state.shown.items()})


def editors(state: EditState, key: str) -> None:
    """Draw a table for each matrix, and its errors below it."""
    for given in state.example.givens:
        mistakes = [mistake for mistake in state.mistakes if mistake.given.name == given.name]
        with st.container(gap=None, key=f"{key}-given-{given.name}"):
            rows = {mistake.row for mistake in mistakes} | state.blind(given)
            columns = {mistake.column for mistake in mistakes}
            _editor(given, state.shown[given.name], (rows, columns), _key(state, given.name, key))
            for mistake in mistakes:
                st.html(f'<p class="mistake">{WRONG} {escape(mistake.text)}</p>')


def _key(state: EditState, name: str, key: str) -> str:
    return f"{key}-{state.example.name}-{name}-{state.version}"


def _typed(shown: Cells, key: str) -> Cells:
    """Return the current cells from Streamlit's state of a table or field; an emptied cell is blank."""
    state = st.session_state.get(key, {})
    if isinstance(state, str):
        return ((state,),)
    edits = state.get("edited_rows", {})
    return tuple(
        tuple((edits.get(row, {}).get(str(column + 1), text) or "")[:LONGEST_CELL] for column, text in enumerate(line))
        for row, line in enumerate(shown)
    )


def _editor(given: Given, shown: Cells, wrong: Marks, key: str) -> None:
    size = " × ".join(map(str, (len(shown), len(shown[0]))[2 - len(given.sizes) :]))
    mark = f" :orange-badge[{STATED}]" if given.stated else ""
    title = f"${given.symbol}$ &nbsp;{size}{mark}"
    if not given.sizes:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(title, help=prose(given.text), width="content")
            st.session_state.setdefault(key, shown[0][0])
            st.text_input(given.text, key=key, label_visibility="collapsed", width=110, max_chars=LONGEST_CELL)
        return
    st.markdown(title, help=prose(given.text))
    _table(given, shown, wrong, key)


def _table(given: Given, shown: Cells, wrong: Marks, key: str) -> None:
    wrong_rows, wrong_columns = wrong
    width = NARROW if max(len(text) for row in shown for text in row) <= FEW else WIDE
    heads = labels(given.columns, len(shown[0])) or [str(column + 1) for column in range(len(shown[0]))]
    columns = {str(column + 1): [row[column] for row in shown] for column in range(len(shown[0]))}
    config = {
        name: st.column_config.TextColumn(_marked(head, column in wrong_columns), width=width, alignment="right")
        for column, (name, head) in enumerate(zip(columns, heads, strict=True))
    }
    if len(given.sizes) > 1:
        names = labels(given.rows, len(shown)) or [str(row + 1) for row in range(len(shown))]
        columns = {NAME: [_marked(name, row in wrong_rows) for row, name in enumerate(names)]} | columns
        config[NAME] = st.column_config.TextColumn("", width=NAMED, disabled=True, pinned=True)
    st.data_editor(
        pd.DataFrame(columns),
        column_config=config,
        hide_index=True,
        width="content",
        height="content",
        row_height=ROW_HEIGHT,
        key=key,
        alt=given.text,
    )


def _marked(name: str, wrong: bool) -> str:
    return f"{WRONG} {name}" if wrong else name
