"""The beam search as a tree, drawn and grown in the browser; the server is asked only for additions by hand.

`search.js` is its entry, whose `mountSearch(parent, data, {onAdd})` knows no Streamlit.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from regard.app.components.shared.packed import pack
from regard.app.components.shared.served import hear, served

NAME = "regard_beam_tree"
mounted = served("beam_tree", "search.js", ("colours", "base", "search"))


def search(data: Mapping[str, Any], *, key: str, on_add: Callable[[str], None]) -> None:
    """Mount the payload made by `regard.app.components.beam_tree.payload`. `on_add` receives all additions by hand, as
    untrusted text."""
    heard = partial(hear, NAME, key, "add", lambda sent: on_add(sent.text))
    mounted()(key=key, data=pack(data).message({}), on_add_change=heard)
