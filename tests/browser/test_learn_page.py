import re
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import Page, expect

from regard.app.lesson.chapters import CHAPTERS
from regard.app.screens.learn.path import COUNT, LessonProgress
from tests.support.axe import Scheme, readable, turn
from tests.support.browser_navigation import go, settled

SENTENCE = "She has a red car."
NEXT = re.compile("^Next")  # a picture's own buttons are named by what it shows


def at(page: Page, chapter: int) -> None:
    """Wait until this page of the lesson is there."""
    title = CHAPTERS[chapter - 1].title if chapter <= COUNT else "What you can do now"
    expect(page.locator("h2")).to_have_text(title)
    settled(page)


def in_link(page: Page) -> LessonProgress:
    return LessonProgress.from_link({name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()})


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
    expect(choices.first).to_be_checked()
    for _ in range(option):
        page.keyboard.press("ArrowDown")
    expect(choices.nth(option)).to_be_checked()
    settled(page)
    expect(page.get_by_role("button", name="Reveal")).to_be_enabled()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Reveal")).to_be_focused()
    page.keyboard.press("Enter")


def revealed(page: Page) -> None:
    expect(page.locator("[class*=st-key-revealed]")).to_be_visible()
    settled(page)


def give_more_parts(page: Page) -> None:
    """By an arrow key on a slider of chapter 5: the slider moves, not the page, and stays through a reload."""
    field = page.locator(".st-key-parts_i").get_by_role("slider")
    field.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("parts_i=3"))
    at(page, 5)
    page.reload()
    at(page, 5)
    revealed(page)
    expect(page).to_have_url(re.compile("parts_i=3"))


def turn_the_page(page: Page, by_key: bool) -> None:
    if by_key:
        page.locator("h2").click()
        page.keyboard.press("ArrowRight")
    else:
        page.get_by_role("button", name=NEXT).click()


def test_the_whole_lesson_by_mouse_and_keyboard(page: Page, app_url: str, console_errors: list[str]) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(app_url)
    settled(page)
    go(page, "Learn")
    for chapter in range(1, COUNT + 1):
        at(page, chapter)
        expect(page.locator(".st-key-around")).to_be_in_viewport(ratio=1)  # nothing has to be scrolled
        reveal, option = (reveal_by_mouse, reveal_by_keyboard)[chapter % 2], chapter % 3
        reveal(page, option)
        revealed(page)
        if chapter == 6:
            page.locator(".st-key-from-where button").first.click()
            expect(page.get_by_text("NumPy recomputation:")).to_be_visible()
        if chapter == 5:
            give_more_parts(page)
            page.goto(f"{page.url}&sentence={quote(SENTENCE)}")
            at(page, 5)
        turn_the_page(page, by_key=bool(chapter % 2))
    at(page, COUNT + 1)
    assert in_link(page).choices == tuple(chapter % 3 for chapter in range(1, COUNT + 1))
    expect(page.locator(".st-key-text")).to_contain_text(f"Of {COUNT - 4} predictions")  # the visit began anew at 5
    page.locator(".st-key-onward").get_by_role("link", name="Translate").click()
    expect(page.get_by_label("English sentence")).to_have_value(SENTENCE)
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
    assert in_link(page) == LessonProgress.from_link({"chapter": "3", "answers": "2"})


def test_everyone_can_read_every_page_of_it(page: Page, app_url: str) -> None:
    schemes: tuple[Scheme, Scheme] = ("dark", "light")
    page.goto(f"{app_url}/learn?answers=2a2a2a2a2a2")
    for chapter in range(1, COUNT + 2):
        turn(page, schemes[chapter % 2])
        if chapter > 1:
            page.locator(f".st-key-chapter-{chapter} button").click()
        at(page, chapter)
        readable(page, schemes[chapter % 2])
