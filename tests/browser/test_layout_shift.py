"""Nothing jumps while screens load."""

import pytest
from playwright.sync_api import BrowserContext, ViewportSize

from app.navigation import FIRST
from benchmarks.layout_shift import DESK, PHONE, shift

STILL = ("translate", "compare", "bottleneck", "transformer", "recorded_training", "attention_files", "glossary")
GOOD = 0.1  # web.dev/cls; `make bench` measures every screen


@pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])
def test_screens_keep_still_while_they_load(context: BrowserContext, app_url: str, window: ViewportSize) -> None:
    shift(context, app_url, FIRST, window)  # fetches what all screens need
    moved = {name: shift(context, app_url, name, window)[0] for name in STILL}
    assert {name: value for name, value in moved.items() if value > GOOD} == {}
