import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from regard.model.alignment import token_label
from regard.model.checkpoint import Pretrained
from regard.model.decoding.sampling import sample
from regard.model.decoding.token_sampling import SamplingSettings
from tests.support.browser_navigation import go, opened, settled

SENTENCE = "She bought a red car and a black dress."
CUT = SamplingSettings(temperature=1.5, top_k=5)  # with which the screen opens


def test_a_sample_is_chosen_its_draws_are_stepped_through_and_it_opens_in_translate(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    opened(page, f"{app_url}/?sentence={quote(SENTENCE)}")
    go(page, "Sampling")
    drawn = sample(shipped, SENTENCE, CUT)
    firsts = {each.ids: place for place, each in reversed([*enumerate(drawn)])}
    place = max(firsts.values())
    rows = page.get_by_role("radiogroup", name="Samples").get_by_role("radio")
    expect(rows).to_have_count(len(firsts))
    settled(page)
    rows.last.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("heading", name=f"How sample {place + 1} was drawn")).to_be_visible()
    expect(page).to_have_url(re.compile(f"[?&]sample={place + 1}(&|$)"))
    settled(page)
    page.get_by_text("Every number of this sample").click()
    expect(page.get_by_test_id("written")).to_have_text(drawn[place].trace.text)
    settled(page)
    last, token = len(drawn[place].draws), token_label(drawn[place].trace.target[-1])
    page.locator(".st-key-draw").get_by_text(f"{last} {token}", exact=True).click()
    expect(page.get_by_text(f"Step {last} of {last} draws")).to_be_visible()
    expect(page.get_by_test_id("stepper")).to_have_attribute("data-step", str(last))
    settled(page)
    page.reload()
    expect(page.get_by_text(f"Step {last} of {last} draws")).to_be_visible()
    assert console_errors == []
    page.get_by_role("link", name="Open in Translate").click()
    page.get_by_role("button", name="More", exact=True).click()
    given = page.get_by_role("textbox", name="Force a translation (French, optional)")
    expect(given).to_have_value(drawn[place].trace.text)
    expect(page).to_have_url(re.compile("[?&]given="))
