"""Motion is limited to a few elements, however long the sentence is: each is styled and drawn again in every frame."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.page import longest
from tests.support.browser_navigation import PATIENCE, settled

FEW = 8  # elements
# The most elements that have moved at once, in any frame so far, in `regardMoving`.
WATCH = """stepper => {
  window.regardMoving = 0;
  const count = () => {
    const moving = new Set(stepper.getRootNode().getAnimations().map(each => each.effect.target));
    window.regardMoving = Math.max(window.regardMoving, moving.size);
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}"""
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


@pytest.mark.parametrize("view", [{"picture": "alignment"}, {"picture": "network", "phase": "weigh"}])
def test_few_elements_move_when_a_key_goes_to_the_other_end_of_a_long_sentence(
    view: dict[str, str], browser: Browser, app_url: str
) -> None:
    visitor = browser.new_context(reduced_motion="no-preference", viewport={"width": 1366, "height": 768})
    visitor.set_default_timeout(PATIENCE)
    visitor.add_init_script("localStorage.setItem('regard-seen', '1')")
    page = visitor.new_page()
    page.goto(f"{app_url}/?{urlencode({'sentence': longest(60), 'step': 1, **view})}")
    stepper = page.get_by_test_id("stepper")
    stepper.focus()
    settled(page)
    stepper.evaluate(WATCH)
    for key in ("End", "Home"):
        before = str(stepper.get_attribute("data-step"))
        page.keyboard.press(key)
        expect(stepper).not_to_have_attribute("data-step", before)
        page.evaluate(FRAMES)
    assert 1 <= page.evaluate("window.regardMoving") <= FEW
    visitor.close()
