import json
import re
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from regard.app.wording import OPENINGS
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.axe import check_open
from tests.support.browser_navigation import PATIENCE, box_of, middle, settled
from tests.support.run_command import call
from tests.support.translate_page import DESK, sized

SENTENCE = "The boy who is wearing a blue shirt is playing football."
OPENED = "Le garçon"  # how its translation begins, whatever is changed later
OPENING = OPENINGS["translate"]["en", "fr"]
LINK = f"?sentence={quote(SENTENCE)}&step=7&edit=1"


def open_page(page: Page, url: str, link: str = LINK) -> Locator:
    """The column where changes are made."""
    page.goto(f"{url}/{link}")
    expect(page.get_by_test_id("stepper").locator("article")).to_have_count(2, timeout=PATIENCE)
    settled(page)
    return page.get_by_test_id("stepper").locator("article").nth(1)


def change(page: Page, text: str) -> Locator:
    """The change in the list that says this."""
    return page.locator(".st-key-changes-list").get_by_role("button", name=text)


def changes(page: Page) -> Intervention:
    """Return the changes in the link."""
    found = parse_qs(urlsplit(page.url).query).get("change")
    return Intervention.from_json(found[0]) if found else UNTOUCHED


def written(page: Page, place: int) -> str:
    """The translation above a column, without what is missing in it."""
    above = page.get_by_test_id("written").nth(place)
    return above.evaluate(
        "node => [...node.childNodes].filter(part => part.className !== 'missing')"
        ".map(part => part.textContent).join('')"
    )


def weights(column: Locator) -> list[float]:
    return column.get_by_test_id("weight-bar").evaluate_all("bars => bars.map(bar => +bar.dataset.value)")


def begins_a_selection(part: Locator) -> bool:
    """True if the browser would select text where a drag of this part passes, as WebKit asks before it does."""
    asks = "part => part.dispatchEvent(new Event('selectstart', { bubbles: true, cancelable: true }))"
    return part.evaluate(asks)


def test_a_word_is_forced_by_mouse_and_another_by_keyboard(
    page: Page, app_url: str, shipped: Pretrained, tmp_path: Path, console_errors: list[str]
) -> None:
    after = open_page(page, app_url)
    third = after.get_by_test_id("write-token").nth(3)
    third.click()
    expect(change(page, "step 7: writes")).to_be_visible(timeout=PATIENCE)
    settled(page)
    before = translate(shipped, [SENTENCE])[0]
    forced = Intervention(tokens=((6, int(before.top_ids[6, 3])),))
    assert changes(page) == forced
    assert (written(page, 0), written(page, 1)) == (before.text, what_if.translate(shipped, SENTENCE, forced).text)
    field = after.get_by_test_id("write-text")
    field.focus()
    page.keyboard.type("jaune")
    page.keyboard.press("Enter")
    expect(change(page, "writes “jaune”")).to_be_visible(timeout=PATIENCE)
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / "intervention.json"
    download.value.save_as(file)
    told = call("translate", "--intervention", str(file), SENTENCE)[1].decode().strip()
    assert "jaune" in told
    assert written(page, 1) == told
    assert console_errors == []


def test_a_dragged_weight_takes_from_the_others_and_keys_move_it_too(
    page: Page, app_url: str, shipped: Pretrained
) -> None:
    """A word that a person chose stays the one that is written, also while a weight is dragged."""
    forced = int(translate(shipped, [SENTENCE])[0].top_ids[6, 1])
    after = open_page(page, app_url, f"{LINK}&change={quote(Intervention(tokens=((6, forced),)).to_json())}")
    chosen = after.locator("[data-testid=write-token][aria-pressed=true]").inner_text()
    slider = after.get_by_test_id("weight-slider").nth(1)
    assert not begins_a_selection(slider)
    slider.scroll_into_view_if_needed()
    box = box_of(slider.locator(".rail"))
    page.mouse.move(box["x"] + 2, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 12, steps=4)
    expect(slider).to_have_attribute("aria-valuenow", re.compile(r"^(39|40|41)\."))
    assert sum(weights(after)) == pytest.approx(1, abs=1e-9)
    expect(after).to_contain_text(f"With these weights: {OPENED}")
    expect(after.locator("[data-testid=write-token][aria-pressed=true]")).to_have_text(chosen)
    page.mouse.up()
    expect(change(page, "step 7: weights set by hand")).to_be_visible(timeout=PATIENCE)
    settled(page)
    shown = what_if.translate(shipped, SENTENCE, changes(page))
    assert weights(after) == pytest.approx(shown.weights[6].tolist(), abs=1e-7)
    assert sum(weights(after)) == pytest.approx(1, abs=1e-6)
    slider.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowRight")
    value = round(shown.weights[6, 1] + 0.11, 3)
    expect(slider).to_have_attribute("aria-valuenow", f"{100 * value:.1f}")
    page.wait_for_url(lambda url: f"{value:g}" in parse_qs(urlsplit(url).query)["change"][0], timeout=PATIENCE)
    settled(page)
    expect(slider).to_be_focused()
    assert weights(after)[1] == pytest.approx(value)
    after.get_by_test_id("weigh-one").click()
    expect(slider).to_have_attribute("aria-valuenow", "100.0", timeout=PATIENCE)
    after.get_by_test_id("weigh-own").click()
    expect(change(page, "weights set by hand")).to_have_count(0, timeout=PATIENCE)


def test_masking_replacing_and_undoing(page: Page, app_url: str, shipped: Pretrained) -> None:
    after = open_page(page, app_url)
    chip = after.get_by_test_id("source-token").nth(6)
    chip.click()
    page.get_by_test_id("menu-mask").click()
    expect(change(page, "“blue” is masked")).to_be_visible(timeout=PATIENCE)
    settled(page)
    expect(chip).to_have_class(re.compile("struck"))
    expect(after.locator("xpath=ancestor::*[@data-testid='stepper']").locator(".tip")).to_be_hidden()
    expect(chip).to_have_accessible_name("blue, masked")
    hidden = Intervention(hidden=(6,))
    assert changes(page) == hidden
    chip.focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("menu-text").fill("red")
    page.keyboard.press("Enter")
    expect(change(page, "“blue” is replaced by “red”")).to_be_visible(timeout=PATIENCE)
    page.get_by_test_id("stepper").focus()
    page.keyboard.press("Control+z")
    expect(change(page, "“blue” is masked")).to_be_visible(timeout=PATIENCE)
    settled(page)
    page.keyboard.press("Control+Shift+z")
    expect(change(page, "“blue” is replaced by “red”")).to_be_visible(timeout=PATIENCE)
    settled(page)
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".st-key-changes-list")).to_contain_text("Nothing is changed", timeout=PATIENCE)
    settled(page)
    assert written(page, 1) == written(page, 0) == translate(shipped, [SENTENCE])[0].text


def test_a_number_opens_the_arithmetic_of_its_own_column_and_everyone_can_read_it_with_the_handles_out(
    page: Page, app_url: str
) -> None:
    drawn = {"temperature": 0.5, "bonus": [[6, 1, 3.0]], "hidden": [0], "words": [[6, "red"]], "tokens": [[4, 300]]}
    after = open_page(page, app_url, f"{LINK}&change={quote(json.dumps(drawn))}")
    after.get_by_test_id("weight-bar").nth(6).get_by_role("button").click()
    panel = page.locator(".st-key-arithmetic")
    expect(panel).to_contain_text("at step 7 · After", timeout=PATIENCE)
    expect(panel).to_contain_text("NumPy recomputation:")
    expect(panel).not_to_contain_text("do not agree")
    page.keyboard.press("Escape")
    expect(page.locator(".arithmetic-open")).to_have_count(0)
    after.get_by_test_id("source-token").nth(3).click()
    expect(page.get_by_test_id("source-menu")).to_be_in_viewport()
    check_open(page)


def test_a_line_that_is_dragged_changes_the_french(page: Page, app_url: str, shipped: Pretrained) -> None:
    stepper = sized(page, app_url, DESK, "?step=4")
    knob = stepper.locator(".sentence .line-grip .knob")
    assert not begins_a_selection(knob)
    before = translate(shipped, [OPENING])[0]
    heaviest = int(before.weights[3].argmax())
    goal = middle(stepper.get_by_test_id("source-token").nth(heaviest - 1))
    page.mouse.move(*middle(knob))
    page.mouse.down()
    page.mouse.move(*goal, steps=5)
    row = before.weights[3].tolist()  # the line takes its weight along; the others keep theirs
    row[heaviest - 1] += row[heaviest]
    row[heaviest] = 0.0
    after = what_if.translate(shipped, OPENING, Intervention(weights=((3, tuple(row)),)))
    expect(stepper.get_by_test_id("announce")).to_have_text(f"With these weights: {after.text}")
    page.wait_for_function(
        "([bar, likely]) => Math.abs(bar.dataset.value - likely) < 0.01",
        arg=[stepper.get_by_test_id("top-token").first.element_handle(), float(after.top_probabilities[3, 0])],
    )
    assert "change" not in parse_qs(urlsplit(page.url).query)
    page.mouse.up()
    expect(page.locator("p.translation")).to_have_text(after.text)
    expect(page.get_by_test_id("before")).to_have_text(before.text)
    expect(page.locator("p.translation mark")).to_have_text(["acheté"])  # written twice now
    settled(page)
    page.mouse.move(goal[0] + 2, goal[1])
    expect(stepper.locator(".tip")).to_be_hidden()  # the sentence of the step can be read
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("p.translation")).to_have_text(before.text)
