"""A journey through the screen of imported attention files, in a real browser."""

from playwright.sync_api import Locator, Page, expect

from tests.support.axe import check_open
from tests.support.browser_navigation import opened, settled

NEMATUS = """0 ||| Obama welcomes Net@@ anyahu ||| 0 ||| Obama empfängt Netanyahu ||| 4 5
0.7 0.1 0.1 0.1
0.1 0.7 0.1 0.1
0.1 0.1 0.7 0.1
0.1 0.1 0.6 0.1
0.1 0.1 0.1 0.7

"""


def upload(page: Page, name: str, text: str | bytes) -> None:
    """Choose a file of this content, and wait until it was tried."""
    field = page.locator("[data-testid=stFileUploader]").first.locator("input[type=file]")
    content = text if isinstance(text, bytes) else text.encode()
    field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    expect(page.get_by_text(name).first).to_be_visible()
    settled(page)


def about(page: Page) -> Locator:
    return page.get_by_test_id("about-file")


def test_a_file_shows_what_it_has_and_names_what_it_lacks_for_everyone_to_read(page: Page, app_url: str) -> None:
    stepper = opened(page, f"{app_url}/attention_files?opened_from=A+file")
    upload(page, "nematus.txt", NEMATUS)
    expect(page.locator("p.translation")).to_have_text("Obama welcomes Netanyahu")
    expect(about(page)).to_contain_text("The rows of the file sum to between 0.90000 and 1.00000: shown as they are.")
    expect(stepper.get_by_test_id("lacks")).to_have_text(
        "Not in the file: scores, states and vectors, the likeliest tokens. They stay in the program that wrote it."
    )
    stepper.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(stepper.get_by_test_id("sum")).to_contain_text("sum to 90.00%")
    expect(stepper.get_by_test_id("announce")).to_contain_text("the decoder looks most at Netanyahu (60.0%)")
    stepper.get_by_test_id("heat-cell").nth(10).click()
    expect(page.get_by_test_id("origin")).to_contain_text("(0.7 + 0.6) / 2 = 0.65")
    stepper.get_by_test_id("view").click()
    stepper.get_by_test_id("units-tokens").click()
    stepper.get_by_test_id("heat-cell").nth(14).click()
    expect(page.get_by_test_id("origin")).to_contain_text("the file has 0.6 (sentence of line 1, step 4)")
    page.get_by_text("The formats, with examples").click()
    expect(page.get_by_role("heading", name="Pharaoh links")).to_be_visible()
    check_open(page)
