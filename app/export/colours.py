"""The app's theme for a page without Streamlit: the same colours under the same names, in light and dark.

They are taken from Streamlit's configuration.
"""

import re
import tomllib
from pathlib import Path

from regard.app.theme import CODE_FONT, FONT

CONFIGURATION = Path(__file__).parent.parent / ".streamlit" / "config.toml"


def variables() -> str:
    """Return a style sheet that sets Streamlit's custom properties (`--st-text-color`) from its configuration."""
    theme = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["theme"]
    light, dark = theme["light"], theme["dark"]
    colours = [f"--st-{_dashed(name)}: light-dark({light[name]}, {dark[name]});" for name in light]
    fonts = [f"--st-font: {FONT};", f"--st-code-font: {CODE_FONT};"]
    return "\n".join([":root {", *(f"  {line}" for line in [*colours, *fonts]), "}", ""])


def _dashed(name: str) -> str:
    """Turn textColor into text-color."""
    return re.sub("[A-Z]", lambda capital: f"-{capital[0].lower()}", name)
