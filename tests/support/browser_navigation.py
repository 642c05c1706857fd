"""Ways around the app, for the journeys of all screens."""

from playwright.sync_api import Page, expect

from app.navigation import SECTIONS

PATIENCE = 60_000  # milliseconds, on a machine that has other things to do


def settled(page: Page) -> None:
    """Wait until the server has said all that it has to say."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def go(page: Page, screen: str) -> None:
    """Click the screen's name in the bar, or in the menu of its section."""
    section = next(name for name, screens in SECTIONS.items() if screen in (title for _, title, _ in screens))
    if section:
        page.get_by_test_id("stTopNavSection").get_by_text(section, exact=True).click()
    links = page.get_by_test_id("stTopNavDropdownLink" if section else "stTopNavLink")
    links.get_by_text(screen, exact=True).click()
    title = "Regard" if screen == "Translate" else screen
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
