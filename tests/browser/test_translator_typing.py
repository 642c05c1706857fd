"""The one file translates the finished words of a sentence while it is typed."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from regard.app.export.translator.document import page as page_of
from regard.model.changes.what_if import translate
from regard.model.checkpoint import Pretrained
from tests.support.engine import disconnected


def test_the_french_forms_while_one_types_and_enter_writes_the_address(
    browser: Browser, tmp_path: Path, tiny_model: Pretrained
) -> None:
    file = tmp_path / "regard.html"
    file.write_text(page_of([tiny_model]), encoding="utf-8")
    with disconnected(browser) as page:
        page.goto(f"{file.as_uri()}#picture=alignment")
        page.get_by_test_id("stepper").wait_for()
        page.get_by_label("English sentence").fill("Do you see the ol")
        expect(page.locator("#translation")).to_have_text(translate(tiny_model, "Do you see the").text or "—")
        assert "Do+you" not in page.url
        page.keyboard.press("Enter")
        page.wait_for_url("**sentence=Do+you+see+the+ol&**")
