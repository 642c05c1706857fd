import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser_navigation import opened

SENTENCES = {  # by the tokens that each has at most
    9: "The red car is in the park.",
    14: "The boy in the red shirt is playing football with his sister today.",
    80: "The boy who is wearing a blue shirt is playing football with his friends, and " * 4 + "Wojciechowska is not.",
}


def saved(page: Page, label: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name=label).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def pages(printed: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", printed))


@pytest.mark.parametrize("tokens", SENTENCES)
def test_the_files_open_without_a_request_and_print_on_one_page_or_two_if_long(
    tokens: int, page: Page, browser: Browser, app_url: str, tmp_path: Path
) -> None:
    opened(page, f"{app_url}/worksheet?sentence={SENTENCES[tokens].replace(' ', '+')}", ".sheet")
    files = [saved(page, label, tmp_path) for label in ("Worksheet", "Answer sheet")]
    context = browser.new_context(offline=True, java_script_enabled=False)
    reader = context.new_page()
    asked: list[str] = []
    reader.on("request", lambda request: asked.append(request.url))
    for file in files:
        reader.goto(file.as_uri())
        expect(reader.locator("section")).to_have_count(6)
        assert pages(reader.pdf(prefer_css_page_size=True)) <= (1 if tokens < 20 else 2)
        reader.set_viewport_size({"width": 718, "height": 900})  # 190 mm, what is printed between the margins
        reader.emulate_media(media="print")
        assert reader.evaluate("document.documentElement.scrollWidth") <= 718
    assert asked == [file.as_uri() for file in files]
    context.close()
