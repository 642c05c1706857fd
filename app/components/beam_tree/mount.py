"""The beam search as a tree, drawn and grown in the browser; the server is asked only for additions by hand.

Its core is plain JavaScript that knows no Streamlit: `search.js`, whose `mountSearch(parent, data, {onAdd})` draws into
an element. `streamlit.js` connects it to Streamlit.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from regard.app.components.shared.packed import pack
from regard.app.components.shared.served import served
from regard.app.input_validation.component_messages import read

NAME = "regard_beam_tree"
SHEETS = ("colours", "base", "controls", "search", "tree", "panel", "list")
mounted = served("beam_tree", "streamlit.js", SHEETS)


def search(data: Mapping[str, Any], *, key: str, on_add: Callable[[str], None]) -> None:
    """Mount the payload made by `regard.app.components.beam_tree.payload`. `on_add` receives all additions by hand, as
    untrusted text."""
    mounted()(key=key, data=pack(data).message({}), on_add_change=lambda: _hear(key, on_add))


def _hear(key: str, on_add: Callable[[str], None]) -> None:
    sent = read(NAME, "add", st.session_state.get(key, {}).get("add"))
    if sent is not None:
        on_add(sent.text)
