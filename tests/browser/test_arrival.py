"""A first visit: what is there before the app is, decoding that plays once by itself, and the doors."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from regard.app.navigation import FIRST_WORDS
from regard.app.visitor.question import telling_step
from regard.app.wording import OPENINGS
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.browser_navigation import PATIENCE, link_value, settled

COMING = "p.translation .coming"
WATCH = """
  window.told = []; // the words to come whenever their number changes
  setInterval(() => {
    const coming = document.querySelectorAll("p.translation .coming").length;
    if (document.querySelector("p.translation") && coming !== window.told.at(-1)) window.told.push(coming);
  }, 20);
  window.shift = 0;
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) window.shift += one.hadRecentInput ? 0 : one.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
BARE = """
  window.bare = 0; // frames in which the page is drawn and nothing is on it
  const watch = () => {
    const [main, opening] = ["[data-testid=stMain]", "#opening"].map(part => document.querySelector(part));
    const seen = opening && opening.contains(document.elementFromPoint(400, 400)) || main?.innerText.trim();
    window.bare += main && !seen ? 1 : 0;
    requestAnimationFrame(watch);
  };
  watch();
"""


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    """A page of somebody who has never been here, and for whom things may move."""
    context = browser.new_context(reduced_motion="no-preference", viewport={"width": 1366, "height": 768})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(WATCH)
    yield page
    context.close()


@pytest.fixture
def newcomer(visitor: Page) -> Page:
    """Return such a page with less motion asked for, so that nothing plays."""
    visitor.emulate_media(reduced_motion="reduce")
    return visitor


def test_a_slow_network_shows_what_this_is_until_there_is_more_to_read_and_a_door_to_the_lesson_plan(
    newcomer: Page, app_url: str
) -> None:
    def slow(route: Route) -> None:
        time.sleep(1)
        route.continue_()

    newcomer.add_init_script(BARE)
    newcomer.route("**/static/js/index*", slow)
    newcomer.goto(app_url, wait_until="commit")
    expect(newcomer.locator("#opening")).to_contain_text(FIRST_WORDS)
    expect(newcomer.get_by_test_id("stepper")).to_be_visible()
    expect(newcomer.locator("#opening")).to_have_count(0)
    assert newcomer.evaluate("window.bare") == 0
    newcomer.get_by_role("button", name="For teachers").click()
    newcomer.get_by_role("link", name="Lesson plan").click()
    expect(newcomer.get_by_role("dialog")).to_contain_text("Common guess")


def test_a_screen_that_is_opened_directly_asks_for_nothing_that_is_not_there(newcomer: Page, app_url: str) -> None:
    missing: list[str] = []
    newcomer.on("response", lambda answer: missing.append(answer.url) if answer.status == 404 else None)
    for screen in ("compare", "learn", "watch"):
        newcomer.goto(f"{app_url}/{screen}")
        expect(newcomer.get_by_role("heading", level=1)).to_be_visible()
        settled(newcomer)
        assert missing == [], screen


def test_a_story_writes_the_translation_word_by_word_and_ends_where_it_opens(
    visitor: Page, app_url: str, shipped: Pretrained
) -> None:
    visitor.goto(app_url)
    stepper = visitor.get_by_test_id("stepper")
    (trace,) = translate(shipped, [OPENINGS["translate"]["en", "fr"]])
    expect(visitor.locator(COMING).first).to_be_attached()
    visitor.evaluate("window.shift = 0")
    expect(stepper).to_have_attribute("data-step", "1")
    expect(stepper.get_by_role("button", name="Pause")).to_be_visible()
    expect(stepper.locator(".phase[aria-pressed=true]")).to_have_count(1)
    expect(visitor.locator(COMING)).to_have_count(0)
    expect(stepper).to_have_attribute("data-step", str(telling_step(trace)))
    told = visitor.evaluate("window.told")
    words = trace.alignment.target.spoken
    assert told[0] == 0, "the French is there first"
    assert max(told) >= words - 1
    assert told[1:] == sorted(told[1:], reverse=True)
    assert visitor.evaluate("window.shift") < 0.01, "nothing moves meanwhile"
    assert link_value(visitor.url, "step") == ""
    expect(stepper.get_by_role("button", name="Play")).to_be_visible()
    expect(visitor.locator("p.translation .now")).to_have_text(trace.target[telling_step(trace) - 1].strip())
    expect(stepper.get_by_test_id("told")).to_have_text(trace.text)  # for a screen reader


@pytest.mark.parametrize("how", ["its button", "its key"])
def test_a_story_pauses_where_it_is(visitor: Page, app_url: str, how: str) -> None:
    visitor.goto(app_url)
    stepper = visitor.get_by_test_id("stepper")
    expect(stepper).to_have_attribute("data-step", "2")
    if how == "its button":
        stepper.get_by_role("button", name="Pause").click()
    else:
        visitor.keyboard.press(" ")
    expect(visitor.locator(COMING)).to_have_count(0)
    expect(stepper.get_by_role("button", name="Play")).to_be_visible()
    step = stepper.get_attribute("data-step")
    visitor.wait_for_timeout(1500)
    assert stepper.get_attribute("data-step") == step


def test_any_key_stops_a_story_and_a_visitor_who_has_stepped_is_told_none(visitor: Page, app_url: str) -> None:
    visitor.goto(app_url)
    expect(visitor.locator(COMING).first).to_be_attached()
    visitor.keyboard.press("Shift")
    expect(visitor.locator(COMING)).to_have_count(0)
    field = visitor.get_by_role("textbox", name="English sentence")
    field.fill("The black cat sleeps.")
    field.press("Enter")
    expect(visitor.locator("p.translation")).to_contain_text("chat")
    expect(visitor.locator(COMING).first).to_be_attached()
    visitor.locator("p.translation [data-step]").first.click()
    stepper = visitor.get_by_test_id("stepper")
    expect(stepper).to_have_attribute("data-step", "1")
    expect(visitor.locator(COMING)).to_have_count(0)
    field.fill("I see a dog.")
    field.press("Enter")
    expect(visitor.locator("p.translation")).to_contain_text("chien")
    visitor.evaluate("window.told = []")
    visitor.wait_for_timeout(1500)
    assert visitor.evaluate("window.told") == [0]


@pytest.mark.parametrize(("link", "motion"), [("?step=2", "no-preference"), ("", "reduce")])
def test_nothing_is_told_where_a_link_names_a_step_nor_where_less_motion_is_asked_for(
    visitor: Page, app_url: str, link: str, motion: str
) -> None:
    visitor.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    visitor.goto(f"{app_url}/{link}")
    expect(visitor.get_by_test_id("stepper")).to_be_visible()
    visitor.wait_for_timeout(1500)
    assert visitor.evaluate("window.told") == [0]
