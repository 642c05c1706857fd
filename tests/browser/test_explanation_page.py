import re
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from regard.model.alignment import token_label
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.axe import check_open
from tests.support.browser_navigation import go, opened, settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."


def headline(page: Page) -> Locator:
    """The chosen step, by its number and its token."""
    return page.locator(".st-key-token [role=radio][aria-checked=true]")


def test_words_can_be_stepped_through_the_link_keeps_the_place_and_everyone_can_read_it(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    target = [token_label(token) for token in translate(shipped, [SENTENCE])[0].target]
    opened(page, f"{app_url}/?sentence={quote(SENTENCE)}")
    go(page, "Is attention an explanation?")
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    page.locator(".st-key-token").get_by_text(f"2 {target[1]}", exact=True).click()
    expect(headline(page)).to_have_text(f"2 {target[1]}")
    settled(page)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowRight")
    expect(headline(page)).to_have_text(f"3 {target[2]}")
    expect(page).to_have_url(re.compile(r"[?&]token=3"))
    page.get_by_role("button", name="Options").click()
    page.get_by_role("button", name="Draw again").click()
    expect(page).to_have_url(re.compile(r"[?&]seed=1(&|$)"))
    settled(page)
    assert console_errors == []
    page.reload()
    expect(headline(page)).to_have_text(f"3 {target[2]}")
    page.get_by_role("button", name="Options").click()
    expect(page.locator(".st-key-seed input")).to_have_value("1")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Other measures").click()
    page.get_by_text("All steps at once").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(4)
    check_open(page)
