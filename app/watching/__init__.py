"""A run as it goes on: its curves, attention and predictions, drawn and scrubbed in the browser.

Its core is plain JavaScript that knows no Streamlit. The files below are read in order into one module; the last one
connects the core to Streamlit, a page without Streamlit takes the others and calls `mountLearning` itself.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from streamlit.components.v2 import component

HERE = Path(__file__).parent
STEPPERS = HERE.parent / "stepper"
SHARED = ("numbers", "elements", "controls")  # with the stepper
PARTS = ("records", "curves", "attention", "predictions", "scrubber", "learning")
SHARED_SHEETS = ("stepper", "controls")
SHEETS = ("learning", "curves", "attention", "predictions")


def learning(data: Mapping[str, Any], *, key: str, on_lost: Callable[[], None]) -> None:
    """Mount what `app.watching.payload` makes. `on_lost` hears that the browser misses something that was sent."""
    _component()(key=key, data=data, on_lost_change=on_lost)


@cache
def _component() -> Any:
    scripts = [*(STEPPERS / f"{part}.js" for part in SHARED), *(HERE / f"{part}.js" for part in (*PARTS, "streamlit"))]
    sheets = [*(STEPPERS / f"{sheet}.css" for sheet in SHARED_SHEETS), *(HERE / f"{sheet}.css" for sheet in SHEETS)]
    script, style = ("\n".join(file.read_text(encoding="utf-8") for file in files) for files in (scripts, sheets))
    return component("regard_learning", js=script, css=style)
