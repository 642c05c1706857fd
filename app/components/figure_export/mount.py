"""Figure export as a Streamlit component: the picture is drawn anew in the browser, light, 16:9 and with its title."""

from functools import cache
from pathlib import Path
from typing import Any

from regard.app.components.shared.modules import script, style
from regard.app.components.shared.served import served
from regard.app.theme import SIGNED, SIGNED_DARK

HERE = Path(__file__).parent
LIT = {dark: light for (_, dark), (_, light) in zip(SIGNED_DARK, SIGNED, strict=True)}  # of a page in the dark


def figure_export(name: str, title: str, about: str) -> None:
    """Buttons for the figure of that name, as `regard.app.ui.plots` draws it; `about` says of what it is."""
    mounted()(key=f"save-{name}", data={"name": name, "title": title, "about": about, "lit": LIT}, width="content")


@cache
def mounted() -> Any:
    """The component, registered once."""
    return served("figure_export", script(HERE / "figure_export.js"), style(HERE, ("saving",)))
