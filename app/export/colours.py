"""The app's theme for a page without Streamlit: the same colours under the same names, in light and dark.

Streamlit's configuration is where they are written down; it lies beside the packages in a checkout and inside `app`
where the program is installed.
"""

import re
import tomllib
from pathlib import Path

from app.theme import CODE_FONT, FONT

APP = Path(__file__).parent.parent
CONFIGURATION = Path(".streamlit") / "config.toml"


def variables() -> str:
    """A style sheet that gives Streamlit's custom properties (`--st-text-color`) the values of its configuration."""
    configuration = next(folder / CONFIGURATION for folder in (APP, APP.parent) if (folder / CONFIGURATION).is_file())
    theme = tomllib.loads(configuration.read_text(encoding="utf-8"))["theme"]
    light, dark = theme["light"], theme["dark"]
    colours = [f"--st-{_dashed(name)}: light-dark({light[name]}, {dark[name]});" for name in light]
    fonts = [f"--st-font: {FONT};", f"--st-code-font: {CODE_FONT};"]
    return "\n".join([":root {", *(f"  {line}" for line in [*colours, *fonts]), "}", ""])


def _dashed(name: str) -> str:
    """textColor is text-color."""
    return re.sub("[A-Z]", lambda capital: f"-{capital[0].lower()}", name)
