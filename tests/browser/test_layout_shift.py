"""Nothing jumps while a screen loads."""

from playwright.sync_api import BrowserContext

from app.navigation import FIRST, SCREENS
from benchmarks.layout_shift import shift

GOOD = 0.1  # as web.dev/cls calls it


def test_no_screen_jumps_while_it_loads(context: BrowserContext, app_url: str) -> None:
    shift(context, app_url, FIRST)  # fetches what all screens need
    moved = {name: shift(context, app_url, name)[0] for name in SCREENS}
    assert {name: round(value, 3) for name, value in moved.items() if value >= GOOD} == {}
