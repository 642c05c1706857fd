"""Figure export as a Streamlit component: the picture is drawn anew in the browser, light, 16:9 and with its title."""

from functools import cache
from pathlib import Path
from typing import Any

from streamlit.components.v2 import component

from app.components.shared.modules import script, style

HERE = Path(__file__).parent


def figure_export(name: str, title: str, about: str) -> None:
    """Buttons for the figure of that name, as `app.ui.plots` draws it; `about` says of what it is."""
    _component()(key=f"save-{name}", data={"name": name, "title": title, "about": about}, width="content")


@cache
def _component() -> Any:
    return component("regard_figure_export", js=script(HERE / "figure_export.js"), css=style(HERE, ("saving",)))
