"""A visitor's question moves along from screen to screen, and nothing covers anything else."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser_navigation import go, link_value, opened, settled
from tests.support.translate_page import enter

SENTENCE = "She has a red car."


@pytest.fixture(autouse=True)
def _window(page: Page) -> None:
    page.set_viewport_size({"width": 1400, "height": 1000})


def test_a_view_that_was_left_is_there_again_until_a_link_or_a_sentence_brings_another(
    page: Page, app_url: str
) -> None:
    stepper = opened(page, f"{app_url}/?sentence={quote(SENTENCE)}&picture=alignment")
    tokens = page.get_by_test_id("units-tokens")
    opening = str(stepper.get_attribute("data-step"))
    page.get_by_test_id("view").click()
    tokens.click()
    page.keyboard.press("End")
    expect(stepper).not_to_have_attribute("data-step", opening)
    last = str(stepper.get_attribute("data-step"))
    view = {"step": [last], "units": ["tokens"]}
    page.wait_for_url(lambda url: view.items() <= parse_qs(urlsplit(url).query).items())
    go(page, "Compare")
    settled(page)
    expect(stepper).not_to_have_attribute("data-step", last)
    go(page, "Translate")
    settled(page)
    expect(stepper).to_have_attribute("data-step", last)
    expect(tokens).to_have_attribute("aria-pressed", "true")
    page.wait_for_url(lambda url: view.items() <= parse_qs(urlsplit(url).query).items())
    opened(page, f"{app_url}/?sentence={quote(SENTENCE)}&picture=alignment")
    expect(stepper).to_have_attribute("data-step", opening)
    expect(tokens).to_have_attribute("aria-pressed", "false")


def test_back_leaves_every_screen_at_once(page: Page, app_url: str) -> None:
    page.goto(app_url)
    settled(page)
    enter(page, "English sentence", SENTENCE)
    page.wait_for_url(lambda url: link_value(url, "sentence") == SENTENCE)
    titles = ("Learn", "Compare", "Watch it learn")
    for title in titles:
        settled(page)
        go(page, title)
        if title != titles[-1]:
            page.wait_for_url(lambda url: link_value(url, "sentence") == SENTENCE)
    for title in (*titles[-2::-1], "Translate"):
        settled(page)
        page.go_back()
        expect(page).to_have_title(f"{title} · Regard")
        page.wait_for_url(lambda url: link_value(url, "sentence") == SENTENCE)


def test_back_brings_the_settings_of_a_screen_back(page: Page, family_url: str) -> None:
    page.goto(f"{family_url}/sampling?sentence=I+see+the+house.")
    left = []
    for title, place, names in (
        ("Sampling", 0, {"sampling_temperature", "top_k", "nucleus", "draw"}),  # the preset for careful sampling
        ("Is attention an alignment?", 2, {"view"}),  # a sentence of one's own
    ):
        if left:
            go(page, title)
        settled(page)
        option = page.get_by_role("radio").nth(place)
        option.click()
        expect(option).to_be_checked()
        page.wait_for_url(lambda url, names=names: names <= parse_qs(urlsplit(url).query).keys())
        settled(page)
        left.append((title, option, parse_qs(urlsplit(page.url).query)))
    go(page, "Learn")
    for title, option, query in reversed(left):
        settled(page)
        page.go_back()
        expect(page).to_have_title(f"{title} · Regard")
        expect(option).to_be_checked()
        # `*` may be encoded; the weights are added to the link that was opened
        page.wait_for_url(lambda url, query=query: query.items() <= parse_qs(urlsplit(url).query).items())
    settled(page)
    page.go_back()  # a preset sets three things and is one move
    expect(page.get_by_role("radio", name="too free, but cut")).to_be_checked()
