import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from regard.app.navigation import FIRST_WORDS
from tests.support.browser_navigation import PATIENCE, settled

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
def newcomer(browser: Browser) -> Iterator[Page]:
    visitor = browser.new_context(reduced_motion="reduce", viewport={"width": 1366, "height": 768})
    visitor.set_default_timeout(PATIENCE)
    yield visitor.new_page()
    visitor.close()


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


def test_the_door_turns_attention_off_and_both_translations_stand_under_each_other(
    newcomer: Page, app_url: str
) -> None:
    newcomer.goto(app_url)
    settled(newcomer)
    newcomer.get_by_role("button", name="Turn attention off").click()
    expect(newcomer.get_by_test_id("before")).to_have_text("Elle a acheté une voiture rouge et une robe noire.")
    assert newcomer.get_by_test_id("before").locator("s").all_inner_texts() == ["voiture", "une"]
    expect(newcomer.locator("p.translation")).to_have_text("Elle a acheté une robe rouge et noire.")
    expect(newcomer.locator(".answer .facts")).to_contain_text("could not look back at any word")
    newcomer.get_by_role("button", name="More", exact=True).click()
    newcomer.get_by_role("button", name="About").click()
    expect(newcomer.get_by_role("dialog").last).to_contain_text("BLEU")
    told = newcomer.get_by_role("dialog").last.inner_text()
    assert 0 <= told.index("Regard shows how a neural network translates") < told.index("BLEU")


def test_a_screen_that_is_opened_directly_asks_for_nothing_that_is_not_there(newcomer: Page, app_url: str) -> None:
    missing: list[str] = []
    newcomer.on("response", lambda answer: missing.append(answer.url) if answer.status == 404 else None)
    for screen in ("compare", "learn", "watch"):
        newcomer.goto(f"{app_url}/{screen}")
        expect(newcomer.get_by_role("heading", level=1)).to_be_visible()
        settled(newcomer)
        assert missing == [], screen
