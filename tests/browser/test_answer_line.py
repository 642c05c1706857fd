"""The answer on Translate: the translation, what is said about it, and the lines around it, in several windows."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from regard.model.changes.intervention import Intervention
from tests.support.first_view import DESK, LONG, PHONE, opened, top
from tests.support.translate_page import enter


def test_on_a_phone_a_long_change_wraps(page: Page, app_url: str) -> None:
    changed = Intervention(words=((1, "extraordinarily beautiful woman"),)).to_json()
    opened(page, app_url, PHONE, f"?sentence={quote(LONG)}&change={quote(changed)}")
    box = page.get_by_role("button", name="extraordinarily beautiful woman").bounding_box()
    assert box
    assert box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_long_translation_is_seen_whole_and_stepping_moves_nothing(
    page: Page, app_url: str, size: dict[str, int]
) -> None:
    stepper = opened(page, app_url, size, f"?sentence={LONG}&step=5")
    assert page.locator("p.translation").evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    before = top(stepper)
    page.keyboard.press("ArrowRight")
    expect(stepper).to_have_attribute("data-step", "6")
    assert top(stepper) == before


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_how_a_misspelt_sentence_was_read_is_in_view_with_its_button(
    page: Page, app_url: str, size: dict[str, int]
) -> None:
    opened(page, app_url, size)
    enter(page, "English sentence", "The childrn play in the gaden.")
    read, keep = page.get_by_test_id("read-as"), page.get_by_role("button", name="Keep mine")
    expect(read).to_contain_text("The children play in the garden.")
    expect(keep).to_be_visible()
    row, told, pressed = (part.bounding_box() for part in (page.locator(".st-key-examples"), read, keep))
    assert row
    assert told
    assert pressed
    assert row["x"] <= told["x"] < told["x"] + told["width"] <= pressed["x"]
    assert pressed["x"] + pressed["width"] <= row["x"] + row["width"]
