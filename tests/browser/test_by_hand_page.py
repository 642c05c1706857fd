"""A journey through the By hand screen in a real browser: choosing numbers, changing matrices, breaking and sharing."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.matrices.printed import CHANGED
from app.worked.editing import NAMED, NARROW, ROW_HEIGHT
from model.worked.documents import DOCUMENTS
from model.worked.example import Example
from model.worked.presets import PRESETS
from tests.browser.accessibility import violations
from tests.browser.navigation import PATIENCE, go, settled

EXAMPLES = [example for document in DOCUMENTS for example in document.examples]
HEAD = 36  # pixels of a table above its first row


def step(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-hand-step-{name}")


def entry(page: Page, name: str, row: int, column: int) -> Locator:
    """A number of a step's result, by its place in the drawing."""
    return step(page, name).locator(f"[data-testid=entry][data-row='{row}'][data-column='{column}']")


def result(page: Page, name: str) -> list[str]:
    return step(page, name).get_by_test_id("entry").all_inner_texts()


def sum_of(page: Page, name: str) -> Locator:
    return step(page, name).get_by_test_id("sum")


def lit(page: Page, name: str, operand: int) -> list[str]:
    return step(page, name).locator(f"td[data-lit='{operand}']").all_inner_texts()


def type_into(page: Page, name: str, row: int, column: int, text: str, named: bool = True) -> None:
    """Type into a cell of the table of a matrix, as a person does; nothing typed empties it."""
    table = page.locator(f".st-key-hand-given-{name} canvas").first
    across, down = (NAMED if named else 0) + (column + 0.5) * NARROW, HEAD + (row + 0.5) * ROW_HEIGHT
    table.click(position={"x": across, "y": down}, force=True)
    page.wait_for_timeout(300)  # until the table has taken the focus
    if text:
        page.keyboard.type(text, delay=50)
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("Delete")


@pytest.fixture
def hand(page: Page, app_url: str) -> Iterator[Page]:
    """The screen as a newcomer sees it; nothing goes wrong on it."""
    opened(page, f"{app_url}/by_hand", "keys")
    yield page
    expect(page.get_by_test_id("stException")).to_have_count(0)


def opened(page: Page, url: str, name: str) -> Page:
    page.goto(url)
    expect(entry(page, name, 0, 0)).to_be_visible(timeout=PATIENCE)
    settled(page)
    return page


def test_the_screen_is_reached_from_the_first_page_and_points_at_the_first_wrong_number(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    page.goto(app_url)
    go(page, "By hand")
    expect(page.get_by_test_id("verdict").first).to_have_text(
        "The first wrong number: printed 0.22, computed 0.28", timeout=PATIENCE
    )
    assert sum_of(page, "keys").inner_text().endswith("= −0.06 + 0.42 − 0.08 = 0.28")
    settled(page)
    assert console_errors == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_number_of_every_example_opens_its_sum(page: Page, app_url: str, example: Example) -> None:
    opened(page, f"{app_url}/by_hand?example={example.name}", example.steps[0].name)
    for one in example.steps:
        entries = step(page, one.name).get_by_test_id("entry")
        last = entries.last
        last.click()
        expect(last).to_have_attribute("aria-pressed", "true")
        text = sum_of(page, one.name).inner_text()
        assert text.replace("\n", " ").endswith(last.inner_text())
        assert lit(page, one.name, 0) or lit(page, one.name, 1)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_number_is_chosen_by_mouse_and_keyboard_and_shown_under_the_pointer(hand: Page) -> None:
    entry(hand, "keys", 0, 2).click()
    expect(sum_of(hand, "keys")).to_have_text(
        "0.3·0.3 + 0.7·(−0.1) + (−0.2)·0.7 = 0.09 − 0.07 − 0.14 = −0.12", use_inner_text=True
    )
    assert lit(hand, "keys", 0) == ["0.3", "0.7", "−0.2"]
    assert lit(hand, "keys", 1) == ["0.3", "−0.1", "0.7"]
    hand.keyboard.press("ArrowDown")
    hand.keyboard.press("ArrowLeft")
    chosen = entry(hand, "keys", 1, 1)
    expect(chosen).to_be_focused()
    expect(chosen).to_have_attribute("aria-label", "K row “love”, column 2: 0.38, printed 0.22, computed 0.38")
    assert lit(hand, "keys", 0) == ["0.5", "0.4", "0.6"]
    entry(hand, "keys", 2, 0).hover()
    assert lit(hand, "keys", 0) == ["0.2", "−0.3", "0.8"]
    hand.mouse.move(5, 5)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    assert lit(hand, "keys", 0) == ["0.5", "0.4", "0.6"]


def test_choosing_a_number_moves_nothing(hand: Page) -> None:
    for name, below in (("keys", "scores"), ("summed", "attentional")):
        step(hand, below).scroll_into_view_if_needed()
        before = step(hand, below).bounding_box()
        for each in step(hand, name).get_by_test_id("entry").all():
            each.dispatch_event("pointerover")
            assert step(hand, below).bounding_box() == before


def test_an_edited_cell_changes_everything_after_it_and_the_printed_numbers_go(hand: Page) -> None:
    before = {name: result(hand, name) for name in ("keys", "scores", "weights", "probabilities")}
    type_into(hand, "q", 0, 1, "0.6", named=False)
    expect(entry(hand, "scores", 0, 0)).to_have_text("0.498")  # 0.65·0.6 + 0.28·0.6 + (−0.12)·0.5
    settled(hand)
    assert result(hand, "keys") == before["keys"]
    assert result(hand, "scores") != before["scores"]
    assert result(hand, "weights") != before["weights"]
    assert result(hand, "probabilities") != before["probabilities"]
    expect(step(hand, "keys").get_by_text(CHANGED)).to_be_visible()
    expect(step(hand, "keys").get_by_text("as printed")).to_have_count(0)


def test_a_letter_in_a_cell_is_marked_and_the_last_steps_stay(hand: Page) -> None:
    type_into(hand, "H", 1, 2, "0.9")
    expect(entry(hand, "keys", 1, 0)).to_have_text("0.33")
    settled(hand)
    before = result(hand, "probabilities")
    type_into(hand, "H", 1, 2, "x")
    mistake = hand.locator(".st-key-hand-given-H p.mistake")
    expect(mistake).to_contain_text(
        "row “love”, column 3: “x” is not a number. Accepted is a number from −1000 to 1000."
    )
    expect(hand.get_by_text("the last matrices that were right")).to_be_visible()
    assert result(hand, "probabilities") == before
    type_into(hand, "H", 1, 2, "")
    expect(mistake).to_contain_text("nothing is there")
    type_into(hand, "H", 1, 2, "0.6")
    expect(mistake).to_have_count(0)
    expect(step(hand, "keys").get_by_text("as printed")).to_be_visible()


def test_a_broken_example_is_shared_by_its_link(hand: Page, browser: Browser) -> None:
    type_into(hand, "W", 0, 0, "0.9")
    expect(entry(hand, "keys", 0, 0)).to_have_text("0.68")
    hand.locator(".st-key-hand-preset").get_by_text(PRESETS["huge"].title).click()
    expect(hand.get_by_text(PRESETS["huge"].text)).to_be_visible()
    expect(entry(hand, "weights", 0, 1)).to_have_text("1.0000")
    settled(hand)
    expect(hand).to_have_url(re.compile("hand="))
    shared = opened(browser.new_context().new_page(), hand.url, "keys")
    expect(shared.get_by_text(PRESETS["huge"].text)).to_be_visible()
    for name in ("keys", "weights", "probabilities"):
        assert result(shared, name) == result(hand, name)
    shared.context.close()


def test_what_was_changed_survives_a_visit_to_another_screen(hand: Page) -> None:
    hand.get_by_role("button", name="Randomise").click()
    expect(step(hand, "keys").get_by_text(CHANGED)).to_be_visible()
    settled(hand)
    before = result(hand, "keys")
    type_into(hand, "H", 0, 0, "x")
    expect(hand.locator(".st-key-hand-given-H p.mistake")).to_be_visible()
    go(hand, "Compare")
    go(hand, "By hand")
    expect(entry(hand, "keys", 0, 0)).to_have_text(before[0], timeout=PATIENCE)
    expect(hand.locator(".st-key-hand-given-H p.mistake")).to_be_visible()
    assert result(hand, "keys") == before


def test_a_matrix_of_eight_rows_scrolls_in_its_own_box(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{app_url}/by_hand?hand=size-S!8~size-E!8~size-H!8~size-V!8~seed!3", "keys")
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert len(result(page, "keys")) == 64


@pytest.mark.parametrize(
    ("scheme", "width", "link"),
    [
        ("light", 1400, ""),
        ("dark", 390, ""),
        ("dark", 1400, "?example=module"),
        ("light", 390, "?example=with-context&hand=seed!2~preset!huge"),
    ],
)
def test_axe_finds_nothing_of_our_making(
    browser: Browser, app_url: str, scheme: Literal["light", "dark"], width: int, link: str
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(f"{app_url}/by_hand{link}")
    expect(page.get_by_role("heading", name="By hand", level=1)).to_be_visible(timeout=PATIENCE)
    settled(page)
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    context.close()
