"""A journey through the Bottleneck screen in a real browser."""

import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Literal
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from app.growing.clauses import lines, opening, sentence
from benchmarks.server import serve
from model.checkpoint import DEFAULT, Pretrained
from tests.browser.accessibility import violations
from tests.browser.navigation import go, settled

OPENING = opening(("en", "fr"))
OWN = "Where is the cat?\nwho has a red car"


def open_page(page: Page, url: str, link: str = "") -> Page:
    page.goto(f"{url}/bottleneck{link}")
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=60_000)
    settled(page)
    return page


def asked(page: Page) -> list[str]:
    """The sentences of the list, longest first."""
    return [text.split("\n")[-1] for text in page.locator(".grown .asked").all_inner_texts()]


def clauses(page: Page) -> list[str]:
    """Those that the page's link carries."""
    return parse_qs(urlsplit(page.url).query).get("clauses", [""])[0].splitlines()


def command_line(text: str) -> dict:
    command = [sys.executable, "-m", "model", "translate", "--json", text]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def two_url(make_model: Callable[..., Pretrained], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a tiny model with attention and one without."""
    folder = tmp_path_factory.mktemp("models")
    shutil.copytree(make_model().folder, folder / DEFAULT)
    shutil.copytree(make_model(score="none", initial_state="encoder").folder, folder / "en-fr-none")
    with serve(environment=[("REGARD_PRETRAINED", str(folder))]) as served:
        yield served.url


def test_the_screen_is_reached_from_the_first_page_and_shows_what_the_command_line_says(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    page.goto(app_url)
    go(page, "Bottleneck")
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=60_000)
    settled(page)
    assert asked(page)[0] == sentence(OPENING)
    told = command_line(sentence(OPENING))
    newest = page.locator(".grown li").first
    expect(newest.locator(".made").first).to_have_text(told["text"]["target"])
    chances = [logit - whole for logit, whole in zip(told["logits"], told["log_normaliser"], strict=True)]
    mean = math.exp(math.fsum(map(float, chances)) / len(chances))
    expect(newest.locator(".sides .about").first).to_contain_text(f"{100 * mean:.1f} % a token")
    assert console_errors == []


def test_a_clause_added_stands_on_top_and_nothing_around_it_moves(page: Page, two_url: str) -> None:
    open_page(page, two_url)
    below = page.locator(".st-key-plot-growth")
    before = below.bounding_box()
    page.get_by_role("button", name="under a big tree").click()
    expect(page.locator(".grown li").first).to_contain_text("under a big tree.")
    settled(page)
    after = below.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=1)
    assert len(asked(page)) == len(lines(OPENING)) + 1
    assert clauses(page) == [*lines(OPENING), "under a big tree"]
    page.get_by_role("button", name="Remove the last").click()
    expect(page.locator(".grown li").first).to_contain_text("in the park.")


def test_own_clauses_survive_a_reload_and_a_visit_to_another_screen(page: Page, two_url: str) -> None:
    open_page(page, two_url)
    field = page.get_by_role("textbox", name="A sentence that grows")
    field.fill(OWN)
    field.press("Control+Enter")
    expect(page.locator(".grown li")).to_have_count(2)
    settled(page)
    page.reload()
    expect(page.locator(".grown li")).to_have_count(2, timeout=60_000)
    assert asked(page) == ["Where is the cat who has a red car?", "Where is the cat?"]
    go(page, "Translate")
    expect(page.get_by_label("English sentence")).to_have_value(sentence(OWN), timeout=60_000)
    go(page, "Bottleneck")
    expect(page.locator(".grown li")).to_have_count(2, timeout=60_000)


def test_the_sentence_opens_in_compare_with_both_models(page: Page, two_url: str) -> None:
    open_page(page, two_url, f"?clauses={quote(OWN)}")
    page.get_by_role("link", name="Open in Compare").click()
    page.wait_for_url(re.compile("/compare"))
    settled(page)
    shown = parse_qs(urlsplit(page.url).query)
    assert shown["sentence"] == [sentence(OWN)]
    expect(page.get_by_label("English sentence")).to_have_value(sentence(OWN), timeout=60_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_axe_finds_nothing_of_our_making(
    browser: Browser, two_url: str, scheme: Literal["light", "dark"], width: int
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = open_page(context.new_page(), two_url)
    page.wait_for_timeout(500)  # until what is new has faded in
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    context.close()
