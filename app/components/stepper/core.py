"""The stepper's core: plain JavaScript and CSS that know no Streamlit, to draw what `payload` makes of traces.

The files below, of this folder or of `shared`, are read in order into one module. `mount` connects it to Streamlit,
`app.export` puts it into a page of its own; neither Streamlit nor torch is needed here.
"""

from pathlib import Path

from app.components.shared.assets import joined

HERE = Path(__file__).parent
PARTS = (
    "numbers",
    "elements",
    "marks",
    "reading",
    "menu",
    "lines",
    "sentence",
    "heatmap",
    "strip",
    "sliders",
    "draft",
    "bars",
    "weighing",
    "writing",
    "likely",
    "panel",
    "from_file",
    "controls",
    "head",
    "changing",
    "opened",
    "previewing",
    "welcome",
    "stepper",
)
SHEETS = ("base", "sentence", "heatmap", "panel", "from_file", "controls", "sizes", "columns", "changing", "menu")


def script() -> str:
    """The core as one piece of JavaScript: `mount(parent, data, {onInspect, onView, onEdit})` draws into an element."""
    return joined(HERE, "js", PARTS)


def style() -> str:
    """What the core's elements look like, in light and dark."""
    return joined(HERE, "css", SHEETS)
