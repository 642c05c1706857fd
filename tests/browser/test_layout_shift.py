"""Nothing jumps while a screen loads."""

from playwright.sync_api import Browser

from app.navigation import SCREENS
from benchmarks.layout_shift import shift

GOOD = 0.1  # as web.dev/cls calls it


def test_no_screen_jumps_while_it_loads(browser: Browser, family_url: str) -> None:
    moved = {name: shift(browser, family_url, name)[0] for name in SCREENS}
    assert {name: round(value, 3) for name, value in moved.items() if value >= GOOD} == {}
