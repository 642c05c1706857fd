import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from regard.app.ui.growing_sentence import sentence
from tests.support.browser_navigation import go, link_value, opened, settled

OWN = "Where is the cat?\nwho has a red car"


def asked(page: Page) -> list[str]:
    """The sentences of the list, longest first, once it has its place."""
    expect(page.locator(".grown li").first).to_be_visible()
    return [text.split("\n")[-1] for text in page.locator(".grown .asked").all_inner_texts()]


def test_own_clauses_survive_a_reload_a_visit_to_another_screen_and_back_from_compare_with_both_models(
    page: Page, family_url: str
) -> None:
    opened(page, f"{family_url}/bottleneck", ".js-plotly-plot")
    field = page.get_by_role("textbox", name="A sentence that grows")
    field.fill(OWN)
    field.press("Control+Enter")
    expect(page.locator(".grown li")).to_have_count(2)
    settled(page)
    page.reload()
    expect(page.locator(".grown li")).to_have_count(2)
    settled(page)
    assert asked(page) == ["Where is the cat who has a red car?", "Where is the cat?"]
    go(page, "Translate")
    expect(page.get_by_label("English sentence")).to_have_value(sentence(OWN))
    go(page, "Bottleneck")
    expect(page.locator(".grown li")).to_have_count(2)
    settled(page)
    page.get_by_role("link", name="Open in Compare").click()
    page.wait_for_url(re.compile("/compare"))
    expect(page.get_by_label("English sentence")).to_have_value(sentence(OWN))
    expect(page.get_by_test_id("model")).to_have_count(2)
    settled(page)
    assert link_value(page.url, "sentence") == sentence(OWN)
    assert parse_qs(urlsplit(page.url).query)["models"] == ["Luong, general score", "no attention"]
    page.go_back()
    expect(field).to_have_value(OWN)
    settled(page)
    assert link_value(page.url, "clauses").splitlines() == OWN.splitlines()
