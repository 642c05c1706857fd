"""A whole pass through the lesson in a real browser, by mouse and by keyboard."""

import re
from typing import Literal
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from app.lesson.chapters import CHAPTERS
from app.lesson.paper import VALUES
from app.lesson.progress import COUNT, Progress
from app.theme import percent
from model.checkpoint import Pretrained
from model.translate import translate
from tests.browser.accessibility import violations
from tests.browser.navigation import PATIENCE, go, settled

SENTENCE = "She has a red car."
NEXT = re.compile("^Next")  # a picture's own buttons are named by what it shows
PAPER = {3: VALUES["scores"][2], 4: round(VALUES["weights"][1], 2), 5: round(VALUES["context"][0], 2)}


def at(page: Page, chapter: int) -> None:
    """Wait until this page of the lesson is there."""
    title = CHAPTERS[chapter - 1].title if chapter <= COUNT else "What you can do now"
    expect(page.locator("h2")).to_have_text(title, timeout=PATIENCE)
    settled(page)


def in_link(page: Page) -> Progress:
    return Progress.from_link({name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()})


def reveal_by_mouse(page: Page, option: int) -> None:
    page.locator(".st-key-question label[data-testid='stRadioOption'], .st-key-question [role=radiogroup] label").nth(
        option
    ).click()
    page.get_by_role("button", name="Reveal").click()


def reveal_by_keyboard(page: Page, option: int) -> None:
    """Space chooses the first option, arrows go on from there, and Tab leads to the button."""
    choices = page.locator(".st-key-question").get_by_role("radio")
    choices.first.focus()
    page.keyboard.press("Space")
    expect(choices.first).to_be_checked(timeout=PATIENCE)
    for _ in range(option):
        page.keyboard.press("ArrowDown")
    expect(choices.nth(option)).to_be_checked(timeout=PATIENCE)
    settled(page)
    expect(page.get_by_role("button", name="Reveal")).to_be_enabled(timeout=PATIENCE)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Reveal")).to_be_focused()
    page.keyboard.press("Enter")


def revealed(page: Page) -> str:
    box = page.locator("[class*=st-key-revealed]")
    expect(box).to_be_visible(timeout=PATIENCE)
    settled(page)
    return box.inner_text()


def test_the_whole_lesson_by_mouse_and_keyboard(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto(app_url)
    settled(page)
    go(page, "Learn")
    for chapter in range(1, COUNT + 1):
        at(page, chapter)
        reveal, option = (reveal_by_mouse, reveal_by_keyboard)[chapter % 2], chapter % 3
        reveal(page, option)
        told = revealed(page)
        if chapter == 6:
            trace = translate(shipped, [SENTENCE])[0]
            assert percent(float(np.exp(trace.log_probabilities.min()))) in told
            page.locator(".st-key-from-where button").first.click()
            expect(page.get_by_text("NumPy recomputation:")).to_be_visible(timeout=PATIENCE)
        if chapter in PAPER:
            field = page.get_by_label("Your result")
            field.fill(str(PAPER[chapter]))
            field.press("Enter")
            expect(page.locator(".st-key-paper")).to_contain_text("Right.", timeout=PATIENCE)
        if chapter == 5:
            field = page.locator(".st-key-parts_i").get_by_role("slider")
            field.focus()
            page.keyboard.press("ArrowRight")
            expect(page).to_have_url(re.compile("parts_i=3"), timeout=PATIENCE)
            at(page, 5)  # the arrow moved the slider, not the page
            page.reload()
            at(page, 5)
            revealed(page)
            expect(page).to_have_url(re.compile("parts_i=3"))
            page.goto(f"{page.url}&sentence={quote(SENTENCE)}")
            at(page, 5)
        if chapter % 2:
            page.locator("h2").click()
            page.keyboard.press("ArrowRight")
        else:
            page.get_by_role("button", name=NEXT).click()
    at(page, COUNT + 1)
    assert all(
        answer is not None and answer.choice == chapter % 3 for chapter, answer in enumerate(in_link(page).answers, 1)
    )
    right = in_link(page).right
    expect(page.locator(".st-key-text")).to_contain_text(f"Of {COUNT} predictions, {right} came true")
    page.locator(".st-key-onward").get_by_role("link", name="Translate").click()
    expect(page.get_by_label("English sentence")).to_have_value(SENTENCE, timeout=PATIENCE)
    ours = [error for error in console_errors if "/learn/_stcore/" not in error]  # Streamlit asks there at first
    assert ours == []


def test_a_page_that_is_turned_begins_at_its_top_and_back_turns_it_back(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1400, "height": 700})
    page.goto(f"{app_url}/learn?chapter=3&answers=2")
    at(page, 3)
    page.get_by_role("button", name=NEXT).click()
    at(page, 4)
    expect(page.locator("h2")).to_be_in_viewport()
    expect(page.locator("h2")).to_be_focused()
    page.go_back()
    at(page, 3)
    assert in_link(page) == Progress.from_link({"chapter": "3", "answers": "2"})


@pytest.mark.parametrize(
    ("scheme", "width", "pages"), [("light", 1400, (1, 3, 5, 7, 8, 11)), ("dark", 390, (2, 4, 6, 9, 10, 11))]
)
def test_axe_finds_nothing_of_our_making(
    browser: Browser, app_url: str, scheme: Literal["light", "dark"], width: int, pages: tuple[int, ...]
) -> None:
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{app_url}/learn?answers=2a2a2a2a2a&chapter={pages[0]}")
    for chapter in pages:
        if chapter != pages[0]:
            page.locator(f".st-key-chapter-{chapter} button").click()
        at(page, chapter)
        page.wait_for_timeout(400)  # until what is new has faded in
        assert violations(page) == []
        assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    context.close()
