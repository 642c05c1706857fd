import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from regard.app.navigation import CHAPTERS, FIRST_WORDS
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


def test_a_slow_network_shows_what_this_is_until_there_is_more_to_read_and_a_door_to_the_lesson(
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
    newcomer.get_by_role("link", name=f"Learn in {CHAPTERS} steps").click()
    expect(newcomer.get_by_role("heading", name="Learn", level=1)).to_be_visible()


def test_a_newcomer_reads_what_this_is_until_they_act_and_never_again(newcomer: Page, app_url: str) -> None:
    newcomer.goto(app_url)
    line = newcomer.locator(".st-key-newcomer")
    expect(line).to_contain_text(FIRST_WORDS)
    stepper = newcomer.get_by_test_id("stepper")
    expect(stepper).to_be_visible()
    settled(newcomer)
    last = stepper.locator(".written-row .current").bounding_box()
    controls = stepper.locator(".transport").bounding_box()
    assert last
    assert controls
    assert last["y"] + last["height"] <= controls["y"] + 1  # the whole picture is in the first view all the same
    stepper.get_by_test_id("control-next").click()
    expect(line).to_be_hidden()
    assert stepper.locator(".transport").bounding_box() == controls  # nothing jumped
    newcomer.reload()
    expect(newcomer.get_by_test_id("stepper")).to_be_visible()
    expect(line).to_be_hidden()


def test_play_here_plays_from_the_first_step_and_about_says_what_the_app_is_before_its_models_scores(
    newcomer: Page, app_url: str
) -> None:
    newcomer.goto(app_url)
    stepper = newcomer.get_by_test_id("stepper")
    expect(stepper).to_be_visible()
    settled(newcomer)
    newcomer.get_by_role("button", name="Play here").click()
    expect(stepper.get_by_role("button", name="Pause")).to_be_visible()
    expect(stepper).to_have_attribute("data-step", "2")
    newcomer.get_by_role("button", name="About").click()
    expect(newcomer.get_by_role("dialog")).to_contain_text("BLEU")
    told = newcomer.get_by_role("dialog").inner_text()
    assert 0 <= told.index("Regard shows how a neural network translates") < told.index("BLEU")


def test_a_screen_that_is_opened_directly_asks_for_nothing_that_is_not_there(newcomer: Page, app_url: str) -> None:
    missing: list[str] = []
    newcomer.on("response", lambda answer: missing.append(answer.url) if answer.status == 404 else None)
    for screen in ("compare", "learn", "watch"):
        newcomer.goto(f"{app_url}/{screen}")
        expect(newcomer.get_by_role("heading", level=1)).to_be_visible()
        settled(newcomer)
        assert missing == [], screen
