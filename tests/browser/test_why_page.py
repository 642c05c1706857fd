from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import Page, expect

from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from tests.support.axe import check
from tests.support.browser_navigation import settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."


def open_page(page: Page, url: str) -> None:
    page.goto(f"{url}/attention_search?sentence={quote(SENTENCE)}&word=maison")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    settled(page)
    expect(page.get_by_test_id("verdict")).to_contain_text("maison")


def test_what_follows_from_the_weights_found_is_seen_in_translate(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    open_page(page, app_url)
    page.get_by_role("link", name="See what follows").click()
    expect(page.get_by_role("heading", name="Regard", level=1)).to_be_visible()
    settled(page)
    change = Intervention.from_json(parse_qs(urlsplit(page.url).query)["change"][0])
    expect(page.locator("p.translation")).to_have_text(what_if.translate(shipped, SENTENCE, change).text)
    assert console_errors == []


def test_everyone_can_read_it(page: Page, app_url: str) -> None:
    check(page, lambda: open_page(page, app_url))
