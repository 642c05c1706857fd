"""The beam search as a tree, drawn and grown in the browser; the server is asked only for what is added by hand.

Its core is plain JavaScript that knows no Streamlit. The files below are read in order into one module; the last one
connects the core to Streamlit, a page without Streamlit takes the others and calls `mountSearch` itself.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.components.shared.assets import joined
from app.components.shared.packed import pack
from app.components.shared.served import served

HERE = Path(__file__).parent
SHARED = ("numbers", "elements", "controls", "head")  # with the stepper
PARTS = ("opened", "layout", "words", "shapes", "sheet", "tree", "panel", "list", "legend", "search")
SHARED_SHEETS = ("base", "controls")
SHEETS = ("search", "tree", "panel", "list")


def script() -> str:
    """The core as one piece of JavaScript, whose `mountSearch(parent, data, {onAdd})` draws into an element."""
    return joined(HERE, "js", (*SHARED, *PARTS))


def style() -> str:
    """What the core's elements look like, in light and dark."""
    return joined(HERE, "css", (*SHARED_SHEETS, *SHEETS))


def search(data: Mapping[str, Any], *, key: str, on_add: Callable[[], None]) -> None:
    """Mount what `app.components.beam_tree.payload` makes.

    When `on_add` is called, `st.session_state[key].add` has as `text` all that is to be added by hand; it is from a
    stranger.
    """
    mounted()(key=key, data=pack(data).message({}), on_add_change=on_add)


@cache
def mounted() -> Any:
    """The component, registered once."""
    adapter = joined(HERE, "js", ("packed", "streamlit"))
    return served("beam_tree", f"{script()}\n{adapter}", style())
