"""The Translate screen in a browser: opened, and asked."""

from playwright.sync_api import Locator, Page

from regard.model.words import normalise
from tests.support.browser_navigation import in_alignment, link_value, opened, settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."


def open_page(page: Page, url: str, link: str = "") -> Locator:
    """Open a link, in the alignment unless it names a picture, and return the stepper when it is drawn."""
    return opened(page, in_alignment(f"{url}/{link}"))


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
