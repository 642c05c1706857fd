"""A journey through the screen of hand-made links in a real browser."""

import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.alignment.agreement import rate
from model.links import STORIES, Link, agreement, read_story
from tests.browser.accessibility import violations
from tests.browser.navigation import go, settled

STORY = "ChatBotte_MasterCat"
SENTENCE, FRENCH = "She has a red car .", "Elle a une voiture rouge ."
OWN = f"/alignment?view={quote('Your own sentence')}&sentence={quote('She has a red car.')}"
GIVEN = f"{OWN}&given={quote('Elle a une voiture rouge.')}"
# What is still fading in is too faint to be read, for a moment.
FADED_IN = "() => Promise.allSettled(document.getAnimations().map(each => each.finished)).then(() => 0)"


def cell(page: Page, source: int, target: int) -> Locator:
    return page.locator(f"[data-testid=mark-cell][data-row='{target}'][data-column='{source}']")


def field(page: Page) -> Locator:
    return page.locator(".st-key-marks input")


def link_value(url: str, name: str) -> str:
    return parse_qs(urlsplit(url).query).get(name, [""])[0]


def command_line(source: str, target: str, folder: Path) -> list[Link]:
    """What `align` proposes for words separated by blanks."""
    files = []
    for name, line in (("source", source), ("target", target)):
        (folder / name).write_text(f"{line}\n", encoding="utf-8")
        files += [f"--{name}", str(folder / name)]
    command = [sys.executable, "-m", "model", "align", *files]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [(int(one), int(other)) for one, other in (link.split("-") for link in told.split())]


@pytest.fixture
def drawing(page: Page, app_url: str) -> Iterator[Page]:
    """The grid of a sentence of one's own and its translation."""
    page.goto(app_url + GIVEN)
    expect(cell(page, 0, 0)).to_be_visible(timeout=60_000)
    settled(page)
    yield page
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_screen_is_reached_from_the_first_page_without_an_error(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    page.goto(app_url)
    go(page, "Is attention an alignment?")
    expect(page.locator(".st-key-figure-links .js-plotly-plot")).to_be_visible(timeout=60_000)
    settled(page)
    assert console_errors == []


def test_the_error_of_a_pair_is_that_of_the_links_of_the_command_line(page: Page, app_url: str, tmp_path: Path) -> None:
    pair = read_story(STORIES / STORY, ("en", "fr"))[4]
    counts = agreement(command_line(pair.source, pair.target, tmp_path), pair.sure, pair.possible)
    page.goto(f"{app_url}/alignment?pair=4")
    told = (
        f"Alignment error rate {rate(counts.error_rate)}: {counts.proposed_and_sure} of {counts.sure} sure links found"
    )
    expect(page.get_by_text(told)).to_be_visible(timeout=60_000)


def test_choosing_a_row_of_the_table_opens_its_pair_and_the_link_says_so(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/alignment")
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible(timeout=60_000)
    settled(page)
    table.click(position={"x": 16, "y": 35 + 35 * 2 + 17})  # the third row's box
    expect(page.locator("p.pair")).to_contain_text("The division was soon made.", timeout=30_000)
    page.wait_for_url(lambda url: link_value(url, "pair") == "2")


def test_clicks_keys_and_text_draw_the_same_links(drawing: Page) -> None:
    cell(drawing, 0, 0).click()
    for _ in range(2):
        cell(drawing, 1, 1).click()
    drawing.keyboard.press("ArrowRight")
    drawing.keyboard.press("ArrowDown")
    drawing.keyboard.press("Enter")
    expect(field(drawing)).to_have_value("0-0 1p1 2-2", timeout=30_000)
    drawing.wait_for_url(lambda url: link_value(url, "marks") == "0-0 1p1 2-2")
    expect(cell(drawing, 1, 1)).to_have_attribute("aria-label", "a – has: possible link")
    for _ in range(3):
        cell(drawing, 0, 0).click()
    expect(field(drawing)).to_have_value("0-0 1p1 2-2", timeout=30_000)
    field(drawing).fill("3-4")
    field(drawing).press("Enter")
    expect(cell(drawing, 3, 4)).to_have_attribute("data-mark", "-", timeout=30_000)
    expect(cell(drawing, 0, 0)).to_have_attribute("data-mark", "")


def test_many_quick_clicks_are_all_kept(drawing: Page) -> None:
    for place in range(6):
        cell(drawing, place, place).click(no_wait_after=True)
    expect(field(drawing)).to_have_value("0-0 1-1 2-2 3-3 4-4 5-5", timeout=30_000)


def test_the_error_of_what_is_drawn_is_that_of_the_links_of_the_command_line(drawing: Page, tmp_path: Path) -> None:
    counts = agreement(command_line(SENTENCE, FRENCH, tmp_path), [(0, 0), (4, 3)], [(1, 1)])
    for source, target, clicks in ((0, 0, 1), (4, 3, 1), (1, 1, 2)):
        for _ in range(clicks):
            cell(drawing, source, target).click()
    told = drawing.get_by_text(f"Alignment error rate {rate(counts.error_rate)}: ")
    expect(told).to_contain_text(f"of {counts.proposed} proposed links drawn by you", timeout=30_000)


def test_a_link_that_is_opened_elsewhere_shows_the_same_drawing(browser: Browser, drawing: Page) -> None:
    cell(drawing, 4, 3).click()
    drawing.wait_for_url(lambda url: link_value(url, "marks") == "4-3")
    other = browser.new_context().new_page()
    other.goto(drawing.url)
    expect(cell(other, 4, 3)).to_have_attribute("data-mark", "-", timeout=60_000)
    other.context.close()


def test_a_wrong_link_is_told_and_the_drawing_stays(drawing: Page) -> None:
    cell(drawing, 0, 0).click()
    expect(field(drawing)).to_have_value("0-0", timeout=30_000)
    field(drawing).fill("0-0 9p9")
    field(drawing).press("Enter")
    told = "The link 9p9 is outside the English sentence: its words are 0 to 5. Your last links are kept: 0-0."
    expect(drawing.get_by_test_id("stAlert")).to_contain_text(told, timeout=30_000)
    expect(cell(drawing, 0, 0)).to_have_attribute("data-mark", "-")


def test_the_downloads_hold_the_drawing_and_the_models_links(drawing: Page, tmp_path: Path) -> None:
    field(drawing).fill("0-0 4p3")
    field(drawing).press("Enter")
    with drawing.expect_download() as download:
        drawing.get_by_role("button", name="Your links").click(timeout=30_000)
    zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())).extractall(tmp_path)
    pair = read_story(tmp_path / "my-links", ("en", "fr"))[0]
    assert (pair.source, pair.target) == (SENTENCE, FRENCH)
    assert (pair.sure, pair.possible) == ({(0, 0)}, {(0, 0), (4, 3)})
    with drawing.expect_download() as download:
        drawing.get_by_role("button", name="The model's links").click()
    told = download.value.path().read_text().split()
    assert told == [f"{one}-{other}" for one, other in sorted(command_line(SENTENCE, FRENCH, tmp_path))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize(
    "link", ["/alignment?pair=14", "/alignment?view=All%20measured", f"{GIVEN}&marks=0-0%201p1&seen=true"]
)
def test_axe_finds_nothing_of_our_making(
    browser: Browser, app_url: str, scheme: Literal["light", "dark"], width: int, link: str
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(app_url + link)
    expect(page.get_by_text("What may be concluded.")).to_be_visible(timeout=60_000)
    settled(page)
    if "pair" in link:
        expect(page.get_by_text(re.compile("of this story that count, together"))).to_be_visible(timeout=60_000)
    page.evaluate(FADED_IN)
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    context.close()
