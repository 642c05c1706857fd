"""Ways around the app, for the journeys of all screens."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import ConsoleMessage, FloatRect, Locator, Page, Request, expect

from regard.app.navigation import SCREENS, SECTIONS, tabs

PATIENCE = 60_000  # milliseconds, on a machine that has other things to do


def settled(page: Page) -> None:
    """Wait until the server has said all that it has to say."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def opened(page: Page, address: str, part: str = "[data-testid=stepper]") -> Locator:
    """Open an address and return the first such part, once it is drawn and the server has said all."""
    page.goto(address)
    found = page.locator(part).first
    expect(found).to_be_visible()
    settled(page)
    return found


def box_of(part: Locator) -> FloatRect:
    """Return the rectangle of a part that is drawn."""
    box = part.bounding_box()
    assert box
    return box


def middle(part: Locator) -> tuple[float, float]:
    box = box_of(part)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def complaints(page: Page) -> list[str]:
    """Collect from now on: errors in the page's console, uncaught exceptions, failed requests."""
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    def fail(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what a reload breaks off
            errors.append(f"{request.url}: {request.failure}")

    page.on("console", listen)
    page.on("requestfailed", fail)
    page.on("pageerror", lambda error: errors.append(f"uncaught: {error}"))
    return errors


def go(page: Page, screen: str) -> None:
    """Click the screen's name in the bar or in the menu of its section, then its tab; the glossary is behind `?`."""
    name = next(name for name, known in SCREENS.items() if known.title == screen)
    if name == "glossary":
        page.locator(".st-key-glossary-open button").click()
        page.get_by_role("link", name=re.compile("All .* terms")).click()
    else:
        _go_by_bar(page, name)
    expect(page).to_have_title(f"{screen} · Regard")
    expect(page.locator("header.regard h1")).to_have_count(1)  # the screen before has gone


def _go_by_bar(page: Page, name: str) -> None:
    together = tabs(name)
    named = next(iter(together), name)
    section = next(section for section, screens in SECTIONS.items() if named in [each.name for each in screens])
    if section:
        page.get_by_test_id("stTopNavSection").get_by_text(section, exact=True).click()
    links = page.get_by_test_id("stTopNavDropdownLink" if section else "stTopNavLink")
    links.get_by_text(SCREENS[named].menu or SCREENS[named].title, exact=True).click()
    if named != name:
        page.locator(".st-key-tabs").get_by_text(together[name], exact=True).click()


def link_value(url: str, name: str) -> str:
    """Return a link's value of a parameter, or ""."""
    return parse_qs(urlsplit(url).query).get(name, [""])[0]
