"""Figure export as a Streamlit component: the browser redraws the figure, light, 16:9 and with its title."""

from functools import cache
from pathlib import Path
from typing import Any

from regard.app.components.shared.modules import script, style
from regard.app.components.shared.served import served
from regard.app.theme import SIGNED, SIGNED_DARK

HERE = Path(__file__).parent
LIT = {dark: light for (_, dark), (_, light) in zip(SIGNED_DARK, SIGNED, strict=True)}  # undoes dark


def figure_export(name: str, title: str, about: str) -> None:
    """Draw buttons for the named figure, as `regard.app.ui.plots` draws it; `about` names its subject."""
    mounted()(key=f"save-{name}", data={"name": name, "title": title, "about": about, "lit": LIT}, width="content")


@cache
def mounted() -> Any:
    """Return the component, registered once."""
    return served("figure_export", script(HERE / "figure_export.js"), style(HERE, ("saving",)))
