"""A journey through the Transformer screen in a real browser."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from app.screens.transformer.ideas import IDEAS
from app.screens.transformer.projection import Projected, asked_by_decoder, asking_itself, of_trace
from app.screens.transformer.text import PARTS
from app.visitor.question import EXAMPLE
from model.checkpoint import Pretrained
from model.examples.self_attention import SELF_ATTENTION
from model.translate import translate
from tests.support.axe import check
from tests.support.browser_navigation import go, settled

SENTENCE = "She has a red car."
SELF = PARTS["self"].title


@pytest.fixture(scope="module")
def found(shipped: Pretrained) -> Projected:
    return of_trace(translate(shipped, [EXAMPLE])[0])


def open_page(page: Page, url: str, part: str, link: str = "") -> None:
    page.goto(f"{url}/transformer?part={quote(PARTS[part].title)}{link}")
    expect(page.locator("dl.moves")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(drawings(part))
    settled(page)


def drawings(part: str) -> int:
    """How many figures a part has; scaling draws what becomes of longer vectors too."""
    return len(IDEAS[part].pictures) + (part == "scaling") if part in IDEAS else 0


def choose(page: Page, title: str) -> None:
    page.locator(".st-key-part").get_by_text(title, exact=True).click()
    settled(page)


def numbers(heatmap: Locator, count: int) -> list[str]:
    """What stands in its cells, row by row."""
    expect(heatmap.locator("g.heatmap-label text")).to_have_count(count)
    return heatmap.locator("g.heatmap-label text").all_text_contents()


def link(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_from_the_first_page_an_entry_opens_its_sum_and_one_idea_follows_the_other(
    page: Page, app_url: str, console_errors: list[str], found: Projected
) -> None:
    page.goto(app_url)
    settled(page)
    go(page, "From RNN attention to the Transformer")
    settled(page)
    values = asked_by_decoder(found).run()
    shown = numbers(page.locator(".js-plotly-plot"), values["weights"].size)
    assert sorted(shown) == sorted(f"{100 * weight:.1f}" for weight in values["weights"].flat)
    step = page.locator(".st-key-cross-step-scores")
    step.get_by_test_id("entry").nth(1).click()
    parts = [f"{values['Q'][0, k] * values['K'][1, k]:.3f}".lstrip("-") for k in range(2)]
    for part in parts:
        expect(step).to_contain_text(part[:-1])
    expect(page.get_by_text("hold the same scores")).to_be_visible()
    choose(page, SELF)
    expect(page.get_by_text("The sentence asks itself")).to_be_visible()
    settled(page)
    words = len(found.words)
    before = numbers(page.locator(".js-plotly-plot"), words**2)
    weights = asking_itself(SELF_ATTENTION, found).run()["weights"]
    assert sorted(before) == sorted(f"{100 * weight:.1f}" for weight in weights.flat)
    page.get_by_role("button", name="Randomise").click()
    settled(page)
    expect(page.locator(".js-plotly-plot")).not_to_contain_text(before[0])
    after = numbers(page.locator(".js-plotly-plot"), words**2)
    assert link(page)["part"] == [SELF]
    assert console_errors == []
    page.reload()
    expect(page.get_by_text("The sentence asks itself")).to_be_visible()
    assert numbers(page.locator(".js-plotly-plot"), words**2) == after


def test_the_sentence_goes_along_and_its_words_name_the_rows(page: Page, app_url: str) -> None:
    open_page(page, app_url, "self")
    field = page.get_by_label("English sentence")
    field.fill(SENTENCE)
    field.press("Enter")
    expect(page.locator(".js-plotly-plot .ytick").filter(has_text="red")).to_have_count(1)
    settled(page)
    assert link(page)["sentence"] == [SENTENCE]
    expect(page.locator(".st-key-self-step-Q")).to_contain_text("red")
    go(page, "Translate")
    expect(page.get_by_label("English sentence")).to_have_value(SENTENCE)


def test_what_comes_later_is_hidden_and_then_only_padding(page: Page, app_url: str, found: Projected) -> None:
    open_page(page, app_url, "masks")
    count = len(found.words) + 2
    hidden = count * (count - 1) // 2
    expect(page.get_by_text(f"{hidden} of {count**2} scores are hidden")).to_be_visible()
    expect(page.locator(".st-key-masks-causal-step-masked")).to_contain_text("−∞")
    page.locator(".st-key-hide").get_by_text("padding", exact=True).click()
    expect(page.get_by_text(f"{2 * count} of {count**2} scores are hidden")).to_be_visible()
    settled(page)
    assert link(page)["hide"] == ["padding"]


@pytest.mark.parametrize("part", ["scaling", "masks", "summary"])
def test_everyone_can_read_it(page: Page, app_url: str, part: str) -> None:
    check(page, lambda: open_page(page, app_url, part))
