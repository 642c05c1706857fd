"""A journey through the screen of a text, in a real browser: paste, sort, open in the stepper, and back."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from regard.app.export.text_report import text_report
from regard.model.checkpoint import Pretrained
from regard.model.text_report.text_input import read
from regard.model.text_report.text_measures import measured, text_scores
from tests.support.axe import violations
from tests.support.browser_navigation import settled

TEXT = "I love you.\tJe t'aime.\nHe is here.\tIl est là.\n\nShe bought a red car.\tElle a acheté une voiture rouge."
HEAD, ROW = 18, 35  # pixels from the table's top to the middle of its head, and of a row


def paste(page: Page, text: str) -> None:
    page.get_by_role("button", name="Paste or upload a text").click()
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_role("button", name="Translate the text").click()


def draw_box(page: Page) -> Locator:
    """Draw a box on the left half of the plot, and return its outline."""
    area = page.locator(".st-key-figure-sentences .nsewdrag").first
    expect(area).to_be_visible()
    settled(page)
    box = area.bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2, steps=5)
    page.mouse.up()
    expect(page.get_by_text("Double-click the plot to clear its selection.")).to_be_visible()
    return page.locator(".st-key-figure-sentences .selectionlayer path")


def test_a_pasted_text_is_sorted_opened_in_the_stepper_and_returned_to(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    page.goto(f"{app_url}/text")
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    settled(page)
    assert violations(page) == []
    paste(page, TEXT)
    expect(page.get_by_text("4 of 4 rows; the text has 1 empty line.")).to_be_visible()
    settled(page)
    for axis in ("xtick", "ytick"):
        ticks = page.locator(f".st-key-figure-sentences .{axis} text").all_text_contents()
        assert len({*ticks}) == len(ticks) > 1
    table.click(position={"x": 200, "y": HEAD})  # by the English, the empty line first
    table.click(position={"x": 18, "y": HEAD + 3 * ROW})
    expect(page.locator(".st-key-text-sentence")).to_contain_text("I love you.")
    page.get_by_role("button", name="Open in the stepper").click()
    expect(page.get_by_test_id("stepper")).to_be_visible()
    expect(page.get_by_role("textbox", name="English sentence")).to_have_value("I love you.")
    page.locator(".st-key-text-next button").click()
    expect(page.get_by_role("textbox", name="English sentence")).to_have_value("He is here.")
    page.get_by_role("button", name="Back to the text").click()
    expect(page.get_by_text("4 of 4 rows; the text has 1 empty line.")).to_be_visible()
    expect(page.locator(".st-key-text-sentence")).to_contain_text("He is here.")
    assert "car" not in page.url
    assert console_errors == []


def test_a_box_on_the_plot_filters_the_table_and_cancel_stops_the_work(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/text?text_axis_up=BLEU")
    expect(page.locator(".st-key-figure-sentences")).to_contain_text("BLEU")
    draw_box(page)
    paste(page, "She bought a red car.\n" * 900)
    page.get_by_role("button", name="Cancel").click()
    stopped = page.get_by_text("Stopped:")
    expect(stopped).to_be_visible()
    settled(page)
    said = stopped.inner_text()
    page.wait_for_timeout(1000)
    assert stopped.inner_text() == said
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def test_a_report_opens_any_sentence_offline(page: Page, tiny_model: Pretrained, tmp_path: Path) -> None:
    rows = list(measured(tiny_model, read(b"The cat sat.\nI love you.", ("en", "fr")).lines, None))
    file = tmp_path / "report.html"
    file.write_text(text_report("A text", tiny_model, rows, text_scores(rows)), encoding="utf-8")
    page.goto(file.as_uri())
    stepper = page.get_by_test_id("stepper")
    expect(stepper).to_contain_text("cat")
    page.get_by_role("link", name="2", exact=True).click()
    expect(stepper).to_contain_text("love")
    expect(page.locator("#translation")).to_have_text(rows[1].translation)
    expect(page).to_have_url(re.compile(r"sentence=I\+love\+you\.&step="))
