"""The stepper's core: plain JavaScript and CSS that know no Streamlit, to draw what `payload` makes of traces.

`stepper.js` is its entry: `mount(parent, data, {onInspect, onView, onEdit, onPreview, onRows, beside, visit})` draws
into an element; its first lines say what those in braces hear or do, and each of them may be left out. `streamlit.js`
connects it to Streamlit, a page of `regard.app.export` imports it; neither Streamlit nor torch is needed here.
"""

from pathlib import Path

from regard.app.components.shared import modules

HERE = Path(__file__).parent
SHEETS = (
    "base",
    "sentence",
    "heatmap",
    "panel",
    "from_file",
    "controls",
    "sizes",
    "columns",
    "before_after",
    "menu",
    "heads",
)


def style() -> str:
    """What the core's elements look like, in light and dark."""
    return modules.style(HERE, SHEETS)
