"""What axe-core finds on a page, leaving out what Streamlit itself draws and we cannot change."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

STREAMLITS = (
    "[data-testid=stSidebarNav]",  # on a phone: section titles are no items of their list
    "[data-testid=stDataFrame] thead",  # the corner of a table to type into has no name
)


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """Each rule that is broken, with the beginning of the elements that break it."""
    context = {"exclude": [[selector] for selector in STREAMLITS]}
    found = Axe().run(page, context).response["violations"]
    return [(broken["id"], [node["html"][:160] for node in broken["nodes"]]) for broken in found]
