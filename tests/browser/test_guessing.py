"""Guess where it looks, in the app by keyboard and in the one file by finger."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from regard.model.alignment import STEP
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.axe import violations
from tests.support.browser_navigation import PATIENCE

SENTENCE = "She bought a red car and a black dress."
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def by_key(page: Page, place: int) -> None:
    words = page.get_by_role("group", name="Source words").get_by_role("button")
    if not page.evaluate("document.activeElement.closest('.words')"):
        words.first.focus()
    for _ in range(words.count()):
        page.keyboard.press("ArrowLeft")
    for _ in range(place):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")


def by_finger(page: Page, place: int) -> None:
    page.get_by_role("group", name="Source words").get_by_role("button").nth(place).tap()


@pytest.mark.parametrize("where", ["the app", "the one file"])
def test_each_step_shows_once_its_word_was_pressed(
    where: str, browser: Browser, app_url: str, translator_file: Path, shipped: Pretrained, tiny_model: Pretrained
) -> None:
    app = where == "the app"
    press: Callable[[Page, int], None] = by_key if app else by_finger
    (trace,) = translate(shipped if app else tiny_model, [SENTENCE])
    weights = trace.alignment.by_words(STEP).weights
    visitor = browser.new_context(reduced_motion="reduce", **({} if app else PHONE))
    visitor.set_default_timeout(PATIENCE)
    page = visitor.new_page()
    page.goto(app_url if app else translator_file.as_uri())
    if not app:
        page.get_by_label("English sentence").fill(SENTENCE)
        page.keyboard.press("Enter")
        expect(page.locator("#translation")).to_have_text(trace.text)
    stepper, guess = page.get_by_test_id("stepper"), page.get_by_test_id("guessing")
    stepper.get_by_test_id("view").click()
    page.get_by_role("button", name="Guess where it looks").click()
    expect(page.get_by_test_id("view-menu")).to_be_hidden()
    expect(stepper).to_have_attribute("data-step", "0")
    expect(page.locator("#translation, p.translation").locator(".coming").first).to_be_attached()
    page.locator("body").press("End")
    expect(stepper).to_have_attribute("data-step", "0")
    for step in range(3):
        place = int(weights[step].argmax()) if step < 2 else int(weights[step].argmin())
        expect(guess).to_contain_text(f"Step {step + 1}: after")
        press(page, place)
        expect(stepper).to_have_attribute("data-step", str(step + 1))
        expect(guess.get_by_role("status")).to_contain_text("You pressed" if step == 2 else "Right: step")
    expect(guess).to_contain_text("Today you were right at 2 of 3 steps, the diagonal, which")
    assert violations(page) == []
    page.reload()
    expect(stepper).to_be_visible()
    stepper.get_by_test_id("view").click()
    page.get_by_role("button", name="Guess where it looks").click()
    expect(guess).to_contain_text("Today you were right at 2 of 3 steps")
    stepper.get_by_role("button", name="Take back: guessing").click()
    expect(guess).to_be_hidden()
    expect(page.locator(".coming")).to_have_count(0)
    visitor.close()
