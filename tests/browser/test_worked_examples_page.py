import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from regard.app.components.matrices.mount import CHANGED, payload
from regard.app.worked_example.study import NAMED, NARROW, ROW_HEIGHT
from regard.model.examples.decoder_steps import BAHDANAU
from tests.support.browser_navigation import opened, settled

SHOWN = BAHDANAU  # what the browser is given of every example is tested without one
KEYS = ".st-key-hand-step-keys [data-testid=entry]"
HEAD = 36  # pixels of a table above its first row
# Of every entry, chosen one after the other: its sum, and the cells that light up, each by its operand.
OPENED = """entries => entries.map(entry => {
  entry.click();
  const step = entry.closest(".matrices");
  const lit = [...step.querySelectorAll("td[data-lit]")].map(cell => `${cell.dataset.lit}: ${cell.textContent}`);
  return [step.querySelector("[data-testid=sum]").textContent.trim(), lit.sort()];
})"""


def step(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-hand-step-{name}")


def entry(page: Page, name: str, row: int, column: int) -> Locator:
    """A number of a step's result, by its place in the drawing."""
    return step(page, name).locator(f"[data-testid=entry][data-row='{row}'][data-column='{column}']")


def result(page: Page, name: str) -> list[str]:
    return step(page, name).get_by_test_id("entry").all_inner_texts()


def sum_of(page: Page, name: str) -> Locator:
    return step(page, name).get_by_test_id("sum")


def lit(page: Page, name: str, operand: int) -> Locator:
    return step(page, name).locator(f"td[data-lit='{operand}']")


def type_into(page: Page, name: str, row: int, column: int, text: str) -> None:
    """Type into a cell of the table of a matrix, as a person does."""
    settled(page)  # a table that is drawn anew loses the keyboard
    table = page.locator(f".st-key-hand-given-{name} canvas").first
    across, down = NAMED + (column + 0.5) * NARROW, HEAD + (row + 0.5) * ROW_HEIGHT
    table.click(position={"x": across, "y": down}, force=True)
    expect(table.get_by_test_id(f"glide-cell-{column + 1}-{row}")).to_be_focused()
    page.keyboard.type(text[0])  # which opens the cell; until it is open, each key would open it anew
    expect(page.locator(".gdg-input")).to_have_value(text[0])
    page.keyboard.type(text[1:], delay=80)  # as fast as a person
    expect(page.locator(".gdg-input")).to_have_value(text)
    page.wait_for_timeout(200)  # the table takes over what was typed a moment after it shows it
    page.keyboard.press("Enter")
    expect(page.locator(".gdg-input")).to_have_count(0)


@pytest.fixture(scope="module")
def given(context: BrowserContext, app_url: str) -> Iterator[Page]:
    """The screen as a newcomer sees it, for those who change nothing."""
    page = context.new_page()
    opened(page, f"{app_url}/worked_examples?example=luong-general", KEYS)
    yield page
    page.close()


@pytest.fixture
def hand(page: Page, app_url: str) -> Iterator[Page]:
    """Open the page for editing; it must not report errors."""
    opened(page, f"{app_url}/worked_examples?example=luong-general", KEYS)
    yield page
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_every_number_opens_its_sum_and_lights_up_what_it_is_made_from(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/worked_examples?example={SHOWN.name}", "[data-testid=entry]")
    for one in SHOWN.steps:
        entries = step(page, one.name).get_by_test_id("entry")
        expect(entries.first).to_be_attached()
        told = payload(SHOWN, one, SHOWN.run())
        entered = [entry for row in told["result"]["entries"] for entry in row]
        assert entries.evaluate_all(OPENED) == [[summed(entry), lighted(told, entry)] for entry in entered]
    expect(page.get_by_test_id("stException")).to_have_count(0)


def summed(entry: dict[str, Any]) -> str:
    return re.sub(r"\^\(([^)]*)\)", r"\1", entry["sum"])


def lighted(told: dict[str, Any], entry: dict[str, Any]) -> list[str]:
    operands = [matrix["cells"] for matrix in told["operands"]]
    return sorted(f"{operand}: {operands[operand][row][column]}" for operand, row, column in entry["lit"])


def test_a_number_is_chosen_by_mouse_and_keyboard_and_shown_under_the_pointer(given: Page) -> None:
    entry(given, "keys", 0, 2).click()
    expect(sum_of(given, "keys")).to_have_text(
        "0.3·0.3 + 0.7·(−0.1) + (−0.2)·0.7 = 0.09 − 0.07 − 0.14 = −0.12", use_inner_text=True
    )
    expect(lit(given, "keys", 0)).to_have_text(["0.3", "0.7", "−0.2"])
    expect(lit(given, "keys", 1)).to_have_text(["0.3", "−0.1", "0.7"])
    given.keyboard.press("ArrowDown")
    given.keyboard.press("ArrowLeft")
    chosen = entry(given, "keys", 1, 1)
    expect(chosen).to_be_focused()
    expect(chosen).to_have_attribute("aria-label", "K row “love”, column 2: 0.38, printed 0.22, computed 0.38")
    expect(lit(given, "keys", 0)).to_have_text(["0.5", "0.4", "0.6"])
    entry(given, "keys", 2, 0).hover()
    expect(lit(given, "keys", 0)).to_have_text(["0.2", "−0.3", "0.8"])
    given.mouse.move(5, 5)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(lit(given, "keys", 0)).to_have_text(["0.5", "0.4", "0.6"])


def test_what_is_typed_is_computed_with_and_the_printed_numbers_come_back_with_theirs(hand: Page) -> None:
    type_into(hand, "H", 1, 2, "0.9")
    expect(entry(hand, "keys", 1, 0)).to_have_text("0.33")
    expect(step(hand, "keys").get_by_text(CHANGED)).to_be_visible()
    expect(step(hand, "keys").get_by_text("as printed")).to_have_count(0)
    type_into(hand, "H", 1, 2, "0.6")
    expect(step(hand, "keys").get_by_text("as printed")).to_be_visible()
