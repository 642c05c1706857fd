"""Nothing jumps while the screens that most people open load."""

from playwright.sync_api import BrowserContext

from app.navigation import FIRST
from benchmarks.layout_shift import shift

STILL = {"translate", "learn", "compare", "beam", "bottleneck"}  # `make bench` measures all
GOOD = 0.1  # as web.dev/cls calls it
LOADS = 3  # at most: a busy machine brings parts late that a visitor gets at once


def test_screens_keep_still_while_they_load(context: BrowserContext, app_url: str) -> None:
    shift(context, app_url, FIRST)  # fetches what all screens need
    moved = {name: shift(context, app_url, name)[0] for name in sorted(STILL)}
    for _ in range(LOADS - 1):
        moved |= {name: shift(context, app_url, name)[0] for name, value in moved.items() if value >= GOOD}
    assert {name: value for name, value in moved.items() if value >= GOOD} == {}
