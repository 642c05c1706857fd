"""A journey through "Is attention an explanation?" in a real browser."""

import re
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.loaders import model_names
from app.theme import percent
from model.checkpoint import Pretrained
from model.faithfulness import counterfactual
from model.quantity import token_label
from model.translate import translate
from tests.browser.accessibility import violations
from tests.browser.navigation import go, settled

SENTENCE = "The boy who is wearing a blue shirt is playing football."
SLOW = 60_000  # milliseconds


def open_page(page: Page, url: str, link: str = "") -> None:
    page.goto(f"{url}/explanation?sentence={quote(SENTENCE)}{link}")
    expect(page.get_by_text("What may be concluded, and what not")).to_be_visible(timeout=SLOW)
    expect(page.locator(".js-plotly-plot")).to_have_count(4, timeout=SLOW)
    settled(page)


def headline(page: Page) -> Locator:
    return page.locator(".st-key-stepping").get_by_text("Step", exact=False)


def test_words_can_be_stepped_through_and_the_link_keeps_the_place(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    target = [token_label(token) for token in translate(shipped, [SENTENCE])[0].target]
    page.goto(f"{app_url}/?sentence={quote(SENTENCE)}")
    expect(page.get_by_test_id("stepper")).to_be_visible(timeout=SLOW)
    go(page, "Is attention an explanation?")
    expect(page.locator(".js-plotly-plot")).to_have_count(4, timeout=SLOW)
    page.locator(".st-key-token").get_by_text(f"2 {target[1]}", exact=True).click()
    expect(headline(page)).to_contain_text(f"Step 2 of {len(target)} produces {target[1]}", timeout=SLOW)
    settled(page)
    page.get_by_role("heading", name="Published, and measured here").click()
    page.keyboard.press("ArrowRight")
    expect(headline(page)).to_contain_text(f"Step 3 of {len(target)}", timeout=SLOW)
    expect(page).to_have_url(re.compile(r"[?&]token=3"))
    page.get_by_role("button", name="Draw again").click()
    expect(page).to_have_url(re.compile(r"[?&]seed=1(&|$)"), timeout=SLOW)
    settled(page)
    assert console_errors == []
    page.reload()
    expect(headline(page)).to_contain_text(f"Step 3 of {len(target)}", timeout=SLOW)
    expect(page.locator(".st-key-seed input")).to_have_value("1", timeout=SLOW)


def test_the_table_shows_the_python_apis_probabilities(page: Page, app_url: str, shipped: Pretrained) -> None:
    open_page(page, app_url)
    trace = translate(shipped, [SENTENCE])[0]
    step = int(re.findall(r"Step (\d+)", headline(page).first.inner_text())[0]) - 1
    row = (
        page.get_by_role("region", name="What each of the weights gives").get_by_role("row").filter(has_text="uniform")
    )
    expect(row).to_contain_text(percent(counterfactual(shipped, trace, "uniform").probabilities[step]))


def test_another_model_answers_for_the_same_sentence(page: Page, app_url: str) -> None:
    for name in model_names():
        open_page(page, app_url, f"&model={name}")
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_label("English sentence")).to_have_value(SENTENCE)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_axe_finds_nothing_of_our_making(
    browser: Browser, app_url: str, scheme: Literal["light", "dark"], width: int
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    open_page(page, app_url)
    page.get_by_text("All steps at once").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(5, timeout=SLOW)
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    context.close()
