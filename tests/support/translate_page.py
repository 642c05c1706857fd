"""The Translate screen in a browser: opened, also in a window of a size, asked, and measured."""

from playwright.sync_api import Locator, Page

from regard.model.words import normalise
from tests.support.browser_navigation import box_of, link_value, opened, settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."
DESK, PHONE, LARGE = {"width": 1366, "height": 768}, {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
LONG = (
    "The boy who is wearing a blue shirt is playing football with his friends in the park and the old man who is "
    "talking to a woman in a red dress bought a black dog."
)


def open_page(page: Page, url: str, link: str = "") -> Locator:
    """Open a link, in the alignment unless it names a picture, and return the stepper when it is drawn."""
    address = f"{url}/{link}"
    return opened(
        page, address if "picture=" in address else f"{address}{'&' if '?' in address else '?'}picture=alignment"
    )


def enter(page: Page, field: str, text: str) -> None:
    """Fill a field and press Enter."""
    box = page.get_by_role("textbox", name=field)
    box.fill(text)
    box.press("Enter")


def ask(page: Page, sentence: str, given: str = "") -> None:
    """Type and wait until the page's link says that it shows this."""
    wanted = {"sentence": sentence, "given": given}
    for (name, text), field in zip(
        wanted.items(), ("English sentence", "Force a translation (French, optional)"), strict=True
    ):
        if text:
            if name == "given":
                page.get_by_role("button", name="More", exact=True).click()
            enter(page, field, text)
            page.wait_for_url(lambda url, name=name, text=text: link_value(url, name) == normalise(text))
            settled(page)


def sized(page: Page, url: str, size: dict[str, int], link: str = "") -> Locator:
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
