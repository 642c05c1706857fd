"""Nothing jumps while the screens that most people open load."""

from playwright.sync_api import BrowserContext

from app.navigation import FIRST
from benchmarks.layout_shift import shift

STILL = (
    "translate",
    "learn",
    "compare",
    "beam",
    "bottleneck",
    "watch",
    "transformer",
    "attention_files",
)  # `make bench` measures all
POOR = 0.25  # as web.dev/cls calls more; parts come later on a busy machine, and `make bench` tells the value


def test_screens_keep_still_while_they_load(context: BrowserContext, app_url: str) -> None:
    shift(context, app_url, FIRST)  # fetches what all screens need
    moved = {name: shift(context, app_url, name)[0] for name in STILL}
    assert {name: value for name, value in moved.items() if value > POOR} == {}
