import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.support.axe import check_open
from tests.support.browser_navigation import opened, settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."


def test_an_arrow_goes_to_the_next_word_and_everyone_can_read_it(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    opened(page, f"{app_url}/explanation?sentence={quote(SENTENCE)}&token=2+garçon", ".js-plotly-plot")
    chosen = page.locator(".st-key-token [role=radio][aria-checked=true]")
    expect(chosen).to_have_text("2 garçon")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowRight")
    expect(chosen).to_have_text("3 qui")
    expect(page).to_have_url(re.compile(r"[?&]token=3"))
    settled(page)
    assert console_errors == []
    page.get_by_role("tab", name="Other measures").click()
    page.get_by_text("All steps at once").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(4)
    check_open(page)
