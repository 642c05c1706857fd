from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from benchmarks.server import serve
from tests.support.engine import LINE, served


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[str]:
    """Another site, which serves a folder."""
    with served(tmp_path) as url:
        yield url.replace("127.0.0.1", "localhost").rstrip("/")


def show(page: Page, platform: str, folder: Path, url: str) -> None:
    """Open a page of the other site whose only content is a frame with this address."""
    (folder / "index.html").write_text(
        f'<link rel=icon href=data:,>{LINE}<iframe src="{url}" width=780 height=500></iframe>', encoding="utf-8"
    )
    page.goto(platform)


def test_a_named_site_shows_the_app_in_its_page(
    page: Page, platform: str, tmp_path: Path, console_errors: list[str]
) -> None:
    with serve(environment=[("REGARD_EMBED", platform)]) as app:
        show(page, platform, tmp_path, f"{app.url}/?embed=true")
        frame = page.frame_locator("iframe")
        frame.get_by_test_id("stepper").wait_for()
        page.wait_for_function("document.querySelector('iframe').offsetHeight > 600")  # the frame had 500
        main = frame.get_by_test_id("stMain")
        assert main.evaluate("main => main.scrollHeight - main.clientHeight") <= 1  # it neither scrolls nor grows
        help_, links = (frame.locator(one).bounding_box() for one in (".st-key-help", "[data-testid=stTopNav]"))
        assert help_
        assert links
        assert links["x"] + links["width"] <= help_["x"]
        page.goto("about:blank")
    assert console_errors == []


def test_no_other_site_does(page: Page, platform: str, app_url: str, tmp_path: Path, console_errors: list[str]) -> None:
    show(page, platform, tmp_path, f"{app_url}/?embed=true")
    page.wait_for_load_state("networkidle")
    assert page.frame_locator("iframe").get_by_test_id("stepper").count() == 0
    assert any("frame-ancestors" in error for error in console_errors)
