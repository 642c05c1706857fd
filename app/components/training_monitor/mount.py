"""A run in progress: its curves, attention and predictions, drawn and scrubbed in the browser.

Its core is plain JavaScript that knows no Streamlit: `training.js`, whose `mountTraining` draws into an element.
`streamlit.js` connects it to Streamlit.
"""

from collections.abc import Callable, Mapping
from typing import Any

from regard.app.components.shared.served import served

SHEETS = ("colours", "base", "training")

mounted = served("training_monitor", "streamlit.js", SHEETS)


def learning(data: Mapping[str, Any], *, key: str, on_lost: Callable[[], None]) -> None:
    """Mount the payload of `regard.app.screens.watch.payload`. `on_lost` is called if the browser misses a part."""
    mounted()(key=key, data=data, on_lost_change=on_lost)
