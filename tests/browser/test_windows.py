"""Translate in several windows and in forced colours: the answer, what is said about it, the words and the marks."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from regard.model.changes.intervention import Intervention
from tests.support.axe import violations
from tests.support.browser_navigation import box_of
from tests.support.translate_page import DESK, LONG, PHONE, enter, sized, top

LONGEST = (
    " ".join(["The old man who is talking to a woman in a red dress bought a black dog and a white cat"] * 2) + "."
)
IN_SIGHT = """stepper => {
  const place = each => stepper.querySelector(each).getBoundingClientRect();
  const [row, word] = [place(".targets"), place(".targets .current")];
  const [names, weights, sums] = [place(".heat thead"), place(".heat .current"), place(".heat tfoot th")];
  const between = weights.top >= names.bottom - 1 && weights.bottom <= sums.top + 1;
  return word.left >= row.left && word.right <= row.right && between;
}"""
GROUND = "node => getComputedStyle(node).backgroundColor"


def test_on_a_phone_a_long_change_wraps(page: Page, app_url: str) -> None:
    changed = Intervention(words=((1, "extraordinarily beautiful woman"),)).to_json()
    sized(page, app_url, PHONE, f"?sentence={quote(LONG)}&change={quote(changed)}")
    box = box_of(page.get_by_role("button", name="extraordinarily beautiful woman"))
    assert box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_long_translation_is_seen_whole_and_stepping_moves_nothing(
    page: Page, app_url: str, size: dict[str, int]
) -> None:
    stepper = sized(page, app_url, size, f"?sentence={LONG}&step=5")
    assert page.locator("p.translation").evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    before = top(stepper)
    page.keyboard.press("ArrowRight")
    expect(stepper).to_have_attribute("data-step", "6")
    assert top(stepper) == before


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_how_a_misspelt_sentence_was_read_is_in_view_with_its_button(
    page: Page, app_url: str, size: dict[str, int]
) -> None:
    sized(page, app_url, size)
    enter(page, "English sentence", "The childrn play in the gaden.")
    read, keep = page.get_by_test_id("read-as"), page.get_by_role("button", name="Keep mine")
    expect(read).to_contain_text("The children play in the garden.")
    expect(keep).to_be_visible()
    row, told, pressed = (box_of(part) for part in (page.locator(".st-key-examples"), read, keep))
    assert row["x"] <= told["x"] < told["x"] + told["width"] <= pressed["x"]
    assert pressed["x"] + pressed["width"] <= row["x"] + row["width"]


def test_the_word_that_is_written_is_in_sight_at_every_step(page: Page, app_url: str) -> None:
    stepper = sized(page, app_url, PHONE, f"?sentence={quote(LONGEST)}")
    page.keyboard.press("End")
    last = int(stepper.get_attribute("data-step") or "")
    for step in range(last, 0, -5):
        expect(stepper).to_have_attribute("data-step", str(step))
        page.wait_for_function(IN_SIGHT, arg=stepper.element_handle())
        for _ in range(5):
            page.keyboard.press("ArrowLeft")


def test_bars_weights_and_pressed_switches_keep_their_colours(page: Page, app_url: str) -> None:
    page.emulate_media(color_scheme="dark", forced_colors="active")
    stepper = sized(page, app_url, DESK, "?step=4")
    fill = stepper.locator(".weight.heaviest .fill").first
    assert fill.evaluate(GROUND) != stepper.locator(".weight .track").first.evaluate(GROUND)
    assert "0, 0, 0" not in fill.evaluate(GROUND)
    colours = stepper.get_by_test_id("heat-cell").evaluate_all(
        "cells => cells.slice(0, 20).map(cell => getComputedStyle(cell).backgroundColor)"
    )
    assert len(set(colours)) > 5
    stepper.get_by_test_id("view").click()
    pressed, other = (stepper.get_by_test_id(f"units-{units}").evaluate(GROUND) for units in ("words", "tokens"))
    assert pressed != other
    assert violations(page) == []
