import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from regard.app.screens.alignment.links import rate
from regard.model.word_alignment.alignment_error_rate import STORIES, Link, agreement, read_story
from tests.support.axe import check_open
from tests.support.browser_navigation import PATIENCE, link_value, settled
from tests.support.browser_navigation import opened as opened_at
from tests.support.run_command import call

STORY = "ChatBotte_MasterCat"
SENTENCE, FRENCH = "She has a red car .", "Elle a une voiture rouge ."
OWN = f"?view={quote('Your own sentence')}&sentence={quote('She has a red car.')}"
GIVEN = f"{OWN}&given={quote('Elle a une voiture rouge.')}"


def cell(page: Page, source: int, target: int) -> Locator:
    return page.locator(f"[data-testid=mark-cell][data-row='{target}'][data-column='{source}']")


def field(page: Page) -> Locator:
    return page.locator(".st-key-marks input")


def command_line(source: str, target: str, folder: Path) -> list[Link]:
    """Return the links that `align` proposes for words separated by blanks."""
    files = []
    for name, line in (("source", source), ("target", target)):
        (folder / name).write_text(f"{line}\n", encoding="utf-8")
        files += [f"--{name}", str(folder / name)]
    told = call("align", *files)[1].decode()
    return [(int(one), int(other)) for one, other in (link.split("-") for link in told.split())]


@pytest.fixture(scope="module")
def opened(context: BrowserContext, app_url: str) -> Iterator[Page]:
    """The grid of a sentence of one's own and its translation."""
    page = context.new_page()
    page.goto(f"{app_url}/alignment{GIVEN}")
    expect(cell(page, 0, 0)).to_be_visible()
    settled(page)
    yield page
    page.close()


@pytest.fixture
def drawing(opened: Page) -> Iterator[Page]:
    """Open the page with nothing drawn; it must not report errors."""
    settled(opened)
    draw(opened, "")
    expect(opened.locator("[data-testid=mark-cell]:not([data-mark=''])")).to_have_count(0)
    settled(opened)
    yield opened
    expect(opened.get_by_test_id("stException")).to_have_count(0)


def draw(page: Page, links: str) -> None:
    """Type links as text."""
    field(page).fill(links)
    field(page).press("Enter")


def test_a_row_of_the_table_opens_its_pair_with_the_error_of_the_command_lines_links(
    page: Page, app_url: str, console_errors: list[str], tmp_path: Path
) -> None:
    opened_at(page, f"{app_url}/alignment", ".st-key-figure-links .js-plotly-plot")
    page.get_by_test_id("stDataFrame").click(position={"x": 16, "y": 35 + 35 * 2 + 17})  # the third row's box
    expect(page.locator("p.pair")).to_contain_text("The division was soon made.")
    page.wait_for_url(lambda url: link_value(url, "pair") == "2")
    pair = read_story(STORIES / STORY, ("en", "fr"))[2]
    counts = agreement(command_line(pair.source, pair.target, tmp_path), pair.sure, pair.possible)
    told = (
        f"Alignment error rate {rate(counts.error_rate)}: {counts.proposed_and_sure} of {counts.sure} sure links found"
    )
    expect(page.get_by_text(told)).to_be_visible()
    settled(page)
    expect(page.get_by_text(re.compile("of this story that count, together"))).to_be_visible(timeout=3 * PATIENCE)
    check_open(page)
    assert console_errors == []


def test_clicks_keys_and_text_draw_the_same_links(drawing: Page) -> None:
    cell(drawing, 0, 0).click()
    for _ in range(2):
        cell(drawing, 1, 1).click()
    drawing.keyboard.press("ArrowRight")
    drawing.keyboard.press("ArrowDown")
    drawing.keyboard.press("Enter")
    expect(field(drawing)).to_have_value("0-0 1p1 2-2")
    drawing.wait_for_url(lambda url: link_value(url, "marks") == "0-0 1p1 2-2")
    expect(cell(drawing, 1, 1)).to_have_attribute("aria-label", "a – has: possible link")
    for links in ("0p0 1p1 2-2", "1p1 2-2", "0-0 1p1 2-2"):
        cell(drawing, 0, 0).click()
        expect(field(drawing)).to_have_value(links)
    draw(drawing, "3-4")
    expect(cell(drawing, 3, 4)).to_have_attribute("data-mark", "-")
    expect(cell(drawing, 0, 0)).to_have_attribute("data-mark", "")


def test_the_downloads_hold_the_drawing_and_the_models_links(drawing: Page, tmp_path: Path) -> None:
    draw(drawing, "0-0 4p3")
    expect(cell(drawing, 4, 3)).to_have_attribute("data-mark", "p")
    settled(drawing)
    with drawing.expect_download() as download:
        drawing.get_by_role("button", name="Your links").press("Enter")
    expect(drawing.get_by_role("button", name="Your links")).to_be_focused()
    zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())).extractall(tmp_path)
    pair = read_story(tmp_path / "my-links", ("en", "fr"))[0]
    assert (pair.source, pair.target) == (SENTENCE, FRENCH)
    assert (pair.sure, pair.possible) == ({(0, 0)}, {(0, 0), (4, 3)})
    with drawing.expect_download() as download:
        drawing.get_by_role("button", name="The model's links").click()
    told = download.value.path().read_text().split()
    assert told == [f"{one}-{other}" for one, other in sorted(command_line(SENTENCE, FRENCH, tmp_path))]
    see_the_models(drawing)
    check_open(drawing)


def see_the_models(page: Page) -> None:
    page.get_by_text("Show the model's attention and links").click()
    expect(page.locator("[data-testid=mark-cell]").first).to_have_attribute("title", re.compile("%"))
