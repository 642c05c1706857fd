"""A journey through the Learning to look screen in a real browser."""

import shutil
from collections.abc import Callable, Iterator
from typing import Literal
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.server import serve
from model.card import HISTORY
from model.checkpoint import DEFAULT, Pretrained
from model.corpus import Pair
from model.snapshots import SNAPSHOTS, Snapshots, look
from tests.browser.accessibility import violations
from tests.browser.navigation import go, settled
from tests.conftest import PAIRS

UPDATES = [1, 7, 30]
WATCHED = tuple(Pair(*sides) for sides in PAIRS[:3])


@pytest.fixture(scope="module")
def recorded(make_model: Callable[..., Pretrained]) -> Snapshots:
    """Three moments, each as other weights would have it."""
    seen = Snapshots(WATCHED, ())
    for update, score in zip(UPDATES, ("dot", "concat", "general"), strict=True):
        model = make_model(score=score)
        seen = seen.with_moment(look(model.network, model.tokenizer, WATCHED, update))
    return seen


@pytest.fixture(scope="module")
def watched_url(recorded: Snapshots, tiny_model: Pretrained, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("models")
    shutil.copytree(tiny_model.folder, folder / DEFAULT)
    recorded.save(folder / DEFAULT / SNAPSHOTS)
    (folder / DEFAULT / HISTORY).write_text("update,loss,validation_loss\n10,5.0,4.5\n30,3.0,2.5\n", encoding="utf-8")
    with serve(environment=[("REGARD_PRETRAINED", str(folder))]) as served:
        yield served.url


def open_page(page: Page, url: str, link: str = "") -> Page:
    page.goto(f"{url}/learning{link}")
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=60_000)
    settled(page)
    return page


def after(page: Page, update: int) -> None:
    """Wait until the page shows this moment."""
    expect(page.locator(".watched .about").first).to_contain_text(f"After update {update} ", timeout=30_000)
    expect(page.locator(".st-key-plot-moment")).to_be_visible()
    settled(page)


def cells(page: Page) -> list[float]:
    """The percentages written into the matrix, row by row."""
    return [float(text) for text in page.locator(".st-key-figure-moment .hm text").all_text_contents()]


def test_the_screen_is_reached_from_the_first_page_without_an_error(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    page.goto(app_url)
    go(page, "Learning to look")
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=60_000)
    settled(page)
    assert console_errors == []


def test_the_cells_are_the_recorded_weights(
    page: Page, watched_url: str, recorded: Snapshots, tiny_model: Pretrained
) -> None:
    open_page(page, watched_url, f"?update=30&watched={quote(WATCHED[0].source)}")
    weights = recorded.alignment(0, 2, tiny_model.tokenizer).by_words("output").weights
    shown = cells(page)
    assert len(shown) == weights.size
    assert shown == pytest.approx(100 * weights.ravel(), abs=0.0501)


def test_the_keyboard_moves_through_training_and_nothing_jumps(page: Page, watched_url: str) -> None:
    open_page(page, watched_url)
    after(page, 1)
    place = page.locator(".st-key-plot-moment").bounding_box()
    page.get_by_role("slider", name="After update").focus()
    for update in UPDATES[1:]:
        page.keyboard.press("ArrowRight")
        after(page, update)
        assert page.locator(".st-key-plot-moment").bounding_box() == place
    assert parse_qs(urlsplit(page.url).query)["update"] == ["30"]
    page.reload()
    after(page, 30)


def test_the_film_plays_to_its_end_and_can_be_stopped(page: Page, watched_url: str) -> None:
    open_page(page, watched_url)
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    after(page, 7)
    after(page, 30)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    after(page, 1)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    held = page.locator(".watched .about").first.inner_text()
    page.wait_for_timeout(4000)  # longer than two moments
    assert page.locator(".watched .about").first.inner_text() == held


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_axe_finds_nothing_of_our_making(
    browser: Browser, watched_url: str, scheme: Literal["light", "dark"], width: int
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = open_page(context.new_page(), watched_url, "?update=7")
    page.wait_for_timeout(500)  # until what is new has faded in
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    context.close()
