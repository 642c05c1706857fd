from urllib.parse import quote

from playwright.sync_api import Page, expect

from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from tests.support.axe import check_open
from tests.support.browser_navigation import link_value, opened, settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."


def test_everyone_can_read_which_weights_were_found_and_see_in_translate_what_follows(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    opened(page, f"{app_url}/attention_search?sentence={quote(SENTENCE)}&word=maison", ".js-plotly-plot")
    expect(page.get_by_test_id("verdict")).to_contain_text("maison")
    check_open(page)
    page.get_by_role("link", name="See what follows").click()
    expect(page.get_by_role("heading", name="Regard", level=1)).to_be_visible()
    settled(page)
    change = Intervention.from_json(link_value(page.url, "change"))
    expect(page.locator("p.translation")).to_have_text(what_if.translate(shipped, SENTENCE, change).text)
    assert console_errors == []
