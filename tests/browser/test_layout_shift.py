import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from benchmarks.layout_shift import DESK, PHONE, QUIET, moved, watched
from tests.support.browser_navigation import PATIENCE

STILL = ("translate", "bottleneck", "transformer", "recorded_training", "attention_files", "glossary")
VISITED_FIRST = ("translate", "learn", "compare")  # by a browser that has nothing of them yet
GOOD = 0.1  # web.dev/cls; `make bench` measures every screen
WINDOWS = pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])


def jumps(pages: dict[str, Page]) -> dict[str, list[str]]:
    """Return what moved on each page that jumped too much; all are waited for together."""
    next(iter(pages.values())).wait_for_timeout(QUIET)
    told = {name: page.evaluate("window.regardShifted") for name, page in pages.items()}
    shifts = {name: moved(page) for name, page in pages.items()}
    return {name: told[name] for name, shift in shifts.items() if shift > GOOD}


@WINDOWS
def test_screens_keep_still_while_they_load(context: BrowserContext, app_url: str, window: ViewportSize) -> None:
    assert jumps({name: watched(context, app_url, name, window)[0] for name in STILL}) == {}


@WINDOWS
def test_so_they_do_for_a_browser_that_has_nothing_of_them_yet(
    browser: Browser, app_url: str, window: ViewportSize
) -> None:
    visitors = {name: browser.new_context(reduced_motion="reduce") for name in VISITED_FIRST}
    for visitor in visitors.values():
        visitor.set_default_timeout(PATIENCE)
    assert jumps({name: watched(visitor, app_url, name, window)[0] for name, visitor in visitors.items()}) == {}
    for visitor in visitors.values():
        visitor.close()
