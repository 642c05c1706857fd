"""The beam search as a tree, drawn and grown in the browser; the server is asked only for what is added by hand.

Its core is plain JavaScript that knows no Streamlit: `search.js`, whose `mountSearch(parent, data, {onAdd})` draws into
an element. `streamlit.js` connects it to Streamlit.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.components.shared.modules import script, style
from app.components.shared.packed import pack
from app.components.shared.served import served

HERE = Path(__file__).parent
SHEETS = ("base", "controls", "search", "tree", "panel", "list")


def search(data: Mapping[str, Any], *, key: str, on_add: Callable[[], None]) -> None:
    """Mount what `app.components.beam_tree.payload` makes.

    When `on_add` is called, `st.session_state[key].add` has as `text` all that is to be added by hand; it is from a
    stranger.
    """
    mounted()(key=key, data=pack(data).message({}), on_add_change=on_add)


@cache
def mounted() -> Any:
    """The component, registered once."""
    return served("beam_tree", script(HERE / "streamlit.js"), style(HERE, SHEETS))
