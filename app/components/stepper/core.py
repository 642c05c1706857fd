"""The stepper's core: plain JavaScript and CSS without Streamlit that draw the `payload` of traces.

`stepper.js` is its entry: `mount(parent, data, {onInspect, onView, onEdit, onPreview, onRows, beside, visit, keeping})`
draws into an element; its first lines describe the optional callbacks in braces. `streamlit.js` connects it to
Streamlit, a page of `regard.app.export` imports it; neither Streamlit nor torch is needed here.
"""

from pathlib import Path

from regard.app.components.shared import modules

HERE = Path(__file__).parent
PICTURE = HERE.parent / "network"
SHEETS = "colours base sentence heatmap panel from_file controls sizes columns before_after menu heads".split()


def style() -> str:
    """Return the style sheet of the core's elements, for light and dark."""
    return "\n".join([modules.style(HERE, SHEETS), modules.style(PICTURE, ("network",))])
