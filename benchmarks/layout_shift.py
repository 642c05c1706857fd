"""Layout shift of each screen while it loads (Chromium's cumulative measure), and seconds until it is complete.

A shift is weighted by the share of the window that moves and by how far (web.dev/cls); up to 0.1 is called good.
"""

import time

from playwright.sync_api import BrowserContext, Page, ViewportSize

from benchmarks.chromium import opened
from benchmarks.report import Table
from benchmarks.server import serve
from regard.app.navigation import FIRST, SCREENS

PATIENCE = 120_000  # milliseconds; the screen Alignment first feeds a story to its model
QUIET = 1500  # milliseconds to wait after the last part is there
DESK: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
WATCH = """window.regardShift = 0;
window.regardShifted = [];  // what moved, when and by how much
const said = node => `${(node?.parentElement?.closest("[class*=st-key-]") ?? node)?.className} ${node?.nodeName}`;
new PerformanceObserver(list => list.getEntries().forEach(entry => {
  if (entry.hadRecentInput) return;
  window.regardShift += entry.value;
  const parts = entry.sources.map(({node, previousRect, currentRect}) =>
    `${said(node)}: ${previousRect.y} to ${currentRect.y}`);
  window.regardShifted.push(`${entry.value.toFixed(3)} after ${Math.round(entry.startTime)} ms: ${parts.join("; ")}`);
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
    """Return a screen's layout shift while it loaded, and the seconds until it was complete."""
    page, seconds = watched(context, url, screen, window)
    page.wait_for_timeout(QUIET)
    return moved(page), seconds


def watched(context: BrowserContext, url: str, screen: str, window: ViewportSize = DESK) -> tuple[Page, float]:
    """Return a complete page, which counts its shift from the first paint on, and the seconds until it was complete."""
    page = context.new_page()
    page.set_viewport_size(window)
    page.add_init_script(WATCH)
    began = time.perf_counter()
    page.goto(f"{url}/{'' if screen == FIRST else screen}")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning] h1").first.wait_for()
    page.locator("[data-testid=stSkeleton]").first.wait_for(state="detached")
    return page, time.perf_counter() - began


def moved(page: Page) -> float:
    """Return the page's layout shift so far, and close it."""
    total = float(page.evaluate("window.regardShift"))
    page.close()
    return total
