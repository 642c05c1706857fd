"""Layout shift of each screen while it loads (Chromium's cumulative measure), and when all of its parts are there.

A shift counts by the share of the window that moves and how far (web.dev/cls); up to 0.1 is called good.
"""

import time

from playwright.sync_api import BrowserContext, Page, ViewportSize

from benchmarks.chromium import opened
from benchmarks.report import Table
from benchmarks.server import serve
from regard.app.navigation import FIRST, SCREENS

PATIENCE = 120_000  # milliseconds; the screen of alignment feeds a story to its model first
QUIET = 1500  # milliseconds after the last part is there
DESK: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
WATCH = """window.regardShift = 0;
new PerformanceObserver(list => list.getEntries().forEach(entry => {
  if (!entry.hadRecentInput) window.regardShift += entry.value;
})).observe({type: "layout-shift", buffered: true});"""


def measure() -> list[Table]:
    with opened() as browser, serve() as served:
        context = browser.new_context(viewport=DESK, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        shift(context, served.url, FIRST)  # fetches what all screens need
        rows = []
        for name in SCREENS:
            on_desk, seconds = shift(context, served.url, name)
            on_phone, _ = shift(context, served.url, name, PHONE)
            rows.append((name, f"{on_desk:.3f}", f"{on_phone:.3f}", f"{seconds:.1f}"))
    return [
        Table(
            "What moves while a screen loads",
            "Cumulative layout shift in a window of 1366 by 768 and in one of 390 by 844 that have seen another screen "
            "before, and seconds from opening the page on the larger one until all of its parts are there.",
            ("screen", "layout shift", "on a phone", "s"),
            tuple(rows),
        )
    ]


def shift(context: BrowserContext, url: str, screen: str, window: ViewportSize = DESK) -> tuple[float, float]:
    """Return how much a screen moved while it loaded, and the seconds until it was complete."""
    page, seconds = watched(context, url, screen, window)
    page.wait_for_timeout(QUIET)
    return moved(page), seconds


def watched(context: BrowserContext, url: str, screen: str, window: ViewportSize = DESK) -> tuple[Page, float]:
    """A page with all of its parts, after so many seconds; what moves from its first paint on is counted in it."""
    page = context.new_page()
    page.set_viewport_size(window)
    page.add_init_script(WATCH)
    began = time.perf_counter()
    page.goto(f"{url}/{'' if screen == FIRST else screen}")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning] h1").first.wait_for()
    page.locator("[data-testid=stSkeleton]").first.wait_for(state="detached")
    return page, time.perf_counter() - began


def moved(page: Page) -> float:
    """Return how much it has moved so far, and close the page."""
    total = float(page.evaluate("window.regardShift"))
    page.close()
    return total
