"""Accessibility of a page: axe-core's findings in light, dark and forced colours, and the fit on a phone and a desk.
Streamlit's own elements, which we cannot change, are excluded."""

from collections.abc import Callable
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.browser_navigation import PATIENCE, settled

STREAMLITS = (
    "[data-testid=stSidebarNav]",  # on a phone: section titles are no items of their list
    "[data-testid=stFileUploaderDropzone]",  # has a role that says nothing, and a name all the same
    "[data-testid=stDataFrame] thead",  # the corner of a table to type into has no name
)
Scheme = Literal["dark", "light"]
WIDTHS: dict[Scheme, int] = {"dark": 390, "light": 1400}  # a phone by night and a desk by day, in pixels
HEIGHT = 900
FORCED = "light dark"  # what Chromium computes for every scheme while colours are forced
# What is fading in is too faint to be read, for a moment, and something glimmers where a figure is still to come; the
# document's own animation only tells how long a page has been open.
AT_REST = """async patience => {
  const end = performance.now() + patience;
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);  // transitions begin
  const moves = each => each.playState === "running" && each.effect.target !== document.documentElement;
  while (document.getAnimations().some(moves) && performance.now() < end) {
    await new Promise(done => setTimeout(done, 50));
  }
  return performance.now() < end;
}"""


def violations(page: Page, *rules: str) -> list[tuple[str, list[str]]]:
    """Each rule that is broken, of these or of all, with the beginning of the elements that break it."""
    context = {"exclude": [[selector] for selector in STREAMLITS]}
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found = Axe().run(page, context, options).response["violations"]
    return [(broken["id"], [node["html"][:160] for node in broken["nodes"]]) for broken in found]


def check(page: Page, show: Callable[[], object]) -> None:
    """Check a page that `show` opens, in dark on a phone; then as `check_open` does."""
    turn(page, "dark")
    show()
    check_open(page)


def check_open(page: Page) -> None:
    """Check an open page in dark on a phone, in light on a wide screen, and with forced colours."""
    for scheme in WIDTHS:
        turn(page, scheme)
        readable(page, scheme)
    page.emulate_media(color_scheme="dark", forced_colors="active")
    at_rest(page, FORCED)
    assert violations(page, "color-contrast") == []
    page.emulate_media(color_scheme="light", forced_colors="none")


def turn(page: Page, scheme: Scheme) -> None:
    """Ask for these colours, on a window of their width."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": WIDTHS[scheme], "height": HEIGHT})


def readable(page: Page, scheme: Scheme) -> None:
    """The page as it is breaks no rule of axe, in these colours, and is no wider than its window."""
    at_rest(page, scheme)
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0


def at_rest(page: Page, scheme: str) -> None:
    """Wait until Streamlit has drawn the page in this colour scheme, as CSS states it, and nothing fades or moves."""
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
    settled(page)
    assert page.evaluate(AT_REST, PATIENCE)
