"""A run as it goes on: its curves, attention and predictions, drawn and scrubbed in the browser.

Its core is plain JavaScript that knows no Streamlit. The files below are read in order into one module; the last one
connects the core to Streamlit, a page without Streamlit takes the others and calls `mountLearning` itself.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.components.shared.assets import joined
from app.components.shared.served import served

HERE = Path(__file__).parent
SHARED = ("numbers", "elements", "controls")  # with the stepper
PARTS = ("records", "curves", "attention", "predictions", "scrubber", "learning")
SHARED_SHEETS = ("base", "controls")
SHEETS = ("learning", "curves", "attention", "predictions")


def learning(data: Mapping[str, Any], *, key: str, on_lost: Callable[[], None]) -> None:
    """Mount what `app.screens.watch.payload` makes. `on_lost` hears that the browser misses something that was sent."""
    mounted()(key=key, data=data, on_lost_change=on_lost)


@cache
def mounted() -> Any:
    """The component, registered once."""
    script, style = joined(HERE, "js", (*SHARED, *PARTS, "streamlit")), joined(HERE, "css", (*SHARED_SHEETS, *SHEETS))
    return served("training_monitor", script, style)
