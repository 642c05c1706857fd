"""Document: one HTML file with data and the script that draws them, which may load nothing.

Its Content-Security-Policy forbids every request, even to its own folder; only its own script and style run, identified
by their hash. It holds what people typed as data and as escaped text. Its colours are those of the app's theme.
"""

import base64
import hashlib
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from regard.app.components.shared.modules import script, stepper_style
from regard.app.components.shared.packed import as_text
from regard.app.theme import CODE_FONT, FONT

CONFIGURATION = Path(__file__).parent.parent / ".streamlit" / "config.toml"
HERE = Path(__file__).parent
KEYS = '<span class="by-keyboard">Arrow keys step through the translation, space plays.</span>'  # base.css hides it
AS_DATA = {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"}  # so that no tag, comment or entity can form


def policy(script: str, style: str, connect: str = "") -> str:
    """Return a policy that allows only this script and requests to `connect`, such as its own folder ('self')."""
    rules = {
        "default-src": "'none'",
        "script-src": _hash(script),
        "style-src": _hash(style),
        "img-src": "data:",  # the page's empty icon, or a browser would request one
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",  # prevents text from becoming markup
    } | ({"connect-src": connect} if connect else {})
    return "; ".join(f"{name} {sources}" for name, sources in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


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


class TracePage(NamedTuple):
    """The differences between documents: the title as text, header and footer as HTML, and the data of `page.js`."""

    title: str
    header: str
    footer: str
    data: Mapping[str, Any]

    def html(self) -> str:
        """Return the whole file."""
        before, between, after = self.around()
        return f"{before}{style()}{between}{code()}{after}"

    def around(self) -> tuple[str, str, str]:
        """Return the text before the style, between style and script, and after the script."""
        body = f"{self.header}<main></main>\n{self.footer}"
        return around(self.title, policy(code(), style()), body, embedded(self.data))


def around(title: str, policy: str, body: str, data: str) -> tuple[str, str, str]:
    """Return the text before the style, between style and script, and after the script."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" href="data:,">\n<style>',
        f"</style></head>\n<body>{body}"
        '<section id="number" aria-label="The number that was clicked" aria-live="polite" hidden></section>\n'
        f'<script type="application/json" id="data">{data}</script>\n<script type="module">',
        "</script>\n</body></html>\n",
    )


def embedded(data: object) -> str:
    """Return JSON that is safe inside a script element."""
    text = as_text(data)
    for character, escaped in AS_DATA.items():  # `str.translate` takes seconds for a large attention
        text = text.replace(character, escaped)
    return text


@cache
def style() -> str:
    """Return the style that all documents share."""
    return "\n".join([variables(), stepper_style(), (HERE / "page.css").read_text(encoding="utf-8")])


@cache
def code() -> str:
    """Return the script that all documents share."""
    return script(HERE / "page.js")


def page_to_print(title: str, style: str, body: str) -> str:
    """Return a whole file of this HTML, which may load nothing."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head><body>{body}</body></html>\n"
    )


def program() -> str:
    """Return the name of the program, with its version where it is installed."""
    try:
        return f"Regard {version('regard')}"
    except PackageNotFoundError:  # the program runs from its folder, not installed
        return "Regard"
