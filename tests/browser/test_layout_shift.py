"""Nothing jumps while a screen loads."""

from playwright.sync_api import BrowserContext

from app.navigation import FIRST, SCREENS
from benchmarks.layout_shift import shift

STILL = {"alignment"}  # measures a whole story first, and its table comes last
GOOD = 0.1  # as web.dev/cls calls it


def test_screens_keep_still_while_they_load(context: BrowserContext, app_url: str) -> None:
    shift(context, app_url, FIRST)  # fetches what all screens need
    moved = {name: shift(context, app_url, name)[0] for name in SCREENS.keys() - STILL}
    assert {name: round(value, 3) for name, value in moved.items() if value >= GOOD} == {}
