from urllib.parse import quote

from playwright.sync_api import Page, expect

from regard.app.screens.transformer.ideas import PARTS
from tests.support.axe import WIDTHS, check_open, readable, turn
from tests.support.browser_navigation import opened, settled


def choose(page: Page, title: str) -> None:
    page.locator(".st-key-part").get_by_text(title, exact=True).click()
    settled(page)


def test_everyone_can_read_it(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/transformer?part={quote(PARTS['masks']['title'])}", "dl.moves")
    for part in ("residual", "positions", "summary"):
        for scheme in WIDTHS:
            turn(page, scheme)
            readable(page, scheme)
        choose(page, PARTS[part]["title"])
        expect(page.locator("dl.moves")).to_have_count(1)  # the earlier part's stays until the run ends
    check_open(page)
