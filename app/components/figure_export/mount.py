"""Figure export as a Streamlit component: the browser redraws the figure, light, 16:9 and with its title."""

from regard.app.components.shared.component import served
from regard.app.figures.heatmap import SAVED
from regard.app.theme import SIGNED, SIGNED_DARK

LIT = SAVED | {dark: light for (_, dark), (_, light) in zip(SIGNED_DARK, SIGNED, strict=True)}  # undoes dark

mounted = served("figure_export", "figure_export.js", ("colours",))


def figure_export(name: str, title: str, about: str) -> None:
    """Draw buttons for the named figure, as `regard.app.ui.plots` draws it; `about` names its subject."""
    mounted()(key=f"save-{name}", data={"name": name, "title": title, "about": about, "lit": LIT}, width="content")
