"""What a visitor has asked goes with them from screen to screen, and nothing covers anything else."""

from itertools import permutations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.navigation import PATIENCE, go, settled

SENTENCE = "She has a red car."
FIELDS = ("Translate", "Compare", "Is attention an explanation?")  # screens with the field of the sentence


@pytest.mark.parametrize(("left", "entered"), list(permutations(FIELDS, 2)))
def test_the_sentence_goes_along(left: str, entered: str, page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1400, "height": 1000})
    page.goto(app_url)
    settled(page)
    if left != "Translate":
        go(page, left)
        settled(page)
    field = page.get_by_role("textbox", name="English sentence")
    field.fill(SENTENCE)
    field.press("Enter")
    page.wait_for_url(lambda url: "red" in url, timeout=PATIENCE)
    settled(page)
    go(page, entered)
    settled(page)
    expect(field).to_have_value(SENTENCE)
    page.reload()
    settled(page)
    expect(field).to_have_value(SENTENCE)


@pytest.mark.parametrize("height", [850, 1000])
def test_the_controls_stand_on_the_arithmetic(height: int, page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1400, "height": height})
    page.goto(app_url)
    settled(page)
    page.get_by_test_id("weight-bar").first.click()
    page.get_by_text("NumPy recomputation:").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(500)  # what moves has come to rest
    panel = page.get_by_test_id("stBottom").bounding_box()
    bar = page.locator(".stepper .transport").bounding_box()
    assert panel
    assert bar
    assert 0 <= panel["y"] - (bar["y"] + bar["height"]) <= 24
