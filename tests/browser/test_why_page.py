import re
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import Locator, Page, expect

from regard.model.alignment import token_label
from regard.model.analysis.attention_search import AttentionSearch, search_attention
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.axe import check
from tests.support.browser_navigation import go, settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."


def open_page(page: Page, url: str, link: str = "") -> None:
    page.goto(f"{url}/attention_search?sentence={quote(SENTENCE)}{link}")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    settled(page)


def verdict(page: Page) -> Locator:
    return page.get_by_test_id("verdict")


def reached(model: Pretrained) -> AttentionSearch:
    """Another word that some attention says, found among the alternatives of the steps."""
    trace = translate(model, [SENTENCE])[0]
    words = (
        (step, int(token))
        for step in range(1, len(trace.target))
        for token, text in zip(trace.top_ids[step, 1:4], trace.top_tokens[step][1:4], strict=True)
        if model.tokenizer.encode(text, "fr").ids == (token,) and text.strip().isalpha()
    )
    return next(asked for step, token in words if (asked := search_attention(model, trace, step, token)).first)


def test_a_word_is_typed_and_what_follows_from_its_attention_is_seen_in_translate(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    asked, trace = reached(shipped), translate(shipped, [SENTENCE])[0]
    word, produced = asked.text.strip(), f"{asked.step + 1} {token_label(trace.target[asked.step])}"
    page.goto(f"{app_url}/?sentence={quote(SENTENCE)}")
    expect(page.get_by_test_id("stepper")).to_be_visible()
    go(page, "Why not mine?")
    page.get_by_text("Which attention would change the word?").click()
    page.locator(".st-key-token").get_by_text(produced, exact=True).click()
    expect(page).to_have_url(re.compile(r"[?&]wanted="))  # an alternative of that step
    settled(page)
    page.get_by_label("Or any other").fill(word)
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text(f"The model would write {word} here if it looked")
    expect(page).to_have_url(re.compile(rf"[?&]word={word}(&|$)"))
    settled(page)
    page.get_by_role("link", name="See what follows").click()
    expect(page.get_by_role("heading", name="Regard", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]change="))
    change = Intervention.from_json(parse_qs(urlsplit(page.url).query)["change"][0])
    assert change == asked.intervention
    after = what_if.translate(shipped, SENTENCE, change)
    assert after.target_ids[asked.step] == asked.token
    expect(page.locator("p.translation")).to_have_text(after.text)
    settled(page)
    assert console_errors == []


def test_everyone_can_read_it(page: Page, app_url: str) -> None:
    def show() -> None:
        open_page(page, app_url, "&word=maison")
        expect(verdict(page)).to_contain_text("maison")

    check(page, show)
