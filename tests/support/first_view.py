"""The first view of Translate, in windows of several sizes."""

from playwright.sync_api import Locator, Page

from tests.support.browser_navigation import box_of
from tests.support.translate_page import open_page

DESK, PHONE, LARGE = {"width": 1366, "height": 768}, {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
LONG = (
    "The boy who is wearing a blue shirt is playing football with his friends in the park and the old man who is "
    "talking to a woman in a red dress bought a black dog."
)


def opened(page: Page, url: str, size: dict[str, int], link: str = "") -> Locator:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    return open_page(page, url, link)


def in_view(page: Page, parts: list[Locator], bottom: float) -> None:
    """Each of these is wholly above the controls."""
    for part in parts:
        box = box_of(part)
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= bottom + 1, part


def top(part: Locator) -> float:
    return box_of(part)["y"]
