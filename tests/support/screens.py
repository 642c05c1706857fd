"""Screens without a browser: switching between them, and what they show."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any, cast

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from benchmarks.server import ROOT

FRAME = ROOT / "app" / "frame.py"


def switch_page(page: AppTest, script: str) -> AppTest:
    """Name a screen by its script: "screens/beam/screen.py". Before its first run, `AppTest.switch_page` takes the name
    of a file for the address of its page; ours are all called alike, and a page's address is the name of its folder."""
    page._page_hash = calc_hash(Path(script).parent.name)
    return page


def opened(page: AppTest, *keys: str) -> AppTest:
    """Open what a screen draws only on a press, by its keys, before the first run."""
    for key in keys:
        cast(Any, page.session_state)[key] = True
    return page


def on_screen(name: str, *keys: str, **link: str) -> AppTest:
    """A screen with this link before its first run; what it draws only on a press is open by its keys."""
    page = switch_page(AppTest.from_file(FRAME, default_timeout=120), f"screens/{name}/screen.py")
    opened(page, *keys).query_params.update(link)
    return page


def html(screen: AppTest) -> str:
    """All that stands there as HTML, with its characters as they are read."""
    return "".join(unescape(element.proto.body) for element in screen.get("html"))


def table(screen: AppTest, index: int) -> list[dict[str, str]]:
    """The rows of a table, as they read."""
    bodies = [part.proto.body for part in screen.get("html") if 'class="table"' in part.proto.body]
    lines = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", line) for line in bodies[index].split("<tr>")[1:]]
    heads, *rows = [[unescape(cell) for cell in line] for line in lines]
    return [dict(zip(heads, row, strict=True)) for row in rows]


def figures(screen: AppTest) -> dict[str, dict[str, Any]]:
    """The figures by their description."""
    return {element.proto.alt: json.loads(element.proto.spec) for element in screen.get("plotly_chart")}
