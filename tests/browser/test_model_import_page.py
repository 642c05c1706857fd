import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from benchmarks.server import Served, serve
from tests.support.axe import check
from tests.support.browser_navigation import PATIENCE, go, settled
from tests.support.model_zips import files, packed

AWAY = 1  # seconds after which a visitor without a connection is gone, on the server of these tests
FIELD = "input[type=file]"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder where these tests' server keeps uploads."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def server(scratch: Path) -> Iterator[Served]:
    environment = [("TMPDIR", str(scratch)), ("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", str(AWAY))]
    with serve(environment=environment) as served:
        yield served
    assert list(scratch.glob("regard-*")) == []  # a server that is stopped leaves nothing


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("brought")
    (folder / "my digits.zip").write_bytes(packed(files(folder / "mine")))
    return folder / "my digits.zip"


@pytest.fixture
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def brought(scratch: Path) -> list[Path]:
    return list(scratch.glob("regard-*/own/*"))


def open_page(page: Page, url: str) -> None:
    page.goto(f"{url}/model_import")
    expect(page.get_by_role("heading", name="What is accepted")).to_be_visible()
    settled(page)


def bring(page: Page, path: Path) -> None:
    page.locator(FIELD).set_input_files(path)
    expect(page.get_by_role("button", name="Open in the stepper")).to_be_visible()
    settled(page)


def test_a_model_is_brought_steps_like_any_other_is_seen_by_nobody_else_and_gone_with_its_visitor(
    server: Served, visitor: BrowserContext, page: Page, zipped: Path, scratch: Path
) -> None:
    mine = visitor.new_page()
    mine.goto(server.url)
    go(mine, "Import a model")
    bring(mine, zipped)
    assert [folder.name[:10] for folder in brought(scratch)] == ["my-digits-"]
    mine.get_by_role("button", name="Open in the stepper").click()
    expect(mine.get_by_label("Sequence of symbols")).to_have_value("2 5 9")
    settled(mine)
    expect(mine.get_by_test_id("stepper").get_by_test_id("heat-cell").first).to_be_attached()
    link = mine.url
    assert "model=my-digits-" in link

    page.goto(link)  # another visitor
    expect(page.get_by_text("to that visitor alone")).to_be_visible()
    expect(page.get_by_label("English sentence")).to_be_visible()
    settled(page)

    mine.close()
    until = time.monotonic() + PATIENCE / 1000
    while brought(scratch) and time.monotonic() < until:
        time.sleep(0.2)
    assert brought(scratch) == []


def test_everyone_can_read_it(server: Served, visitor: BrowserContext, zipped: Path, tmp_path: Path) -> None:
    page = visitor.new_page()
    (tmp_path / "none.zip").write_bytes(b"no zip")

    def show() -> None:
        open_page(page, server.url)
        bring(page, zipped)
        page.locator(FIELD).set_input_files(tmp_path / "none.zip")
        expect(page.get_by_text("was refused")).to_be_visible()
        page.get_by_text("Its card").click()
        expect(page.get_by_text("Reverses digits")).to_be_visible()

    check(page, show)
