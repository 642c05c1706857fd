import re
from collections.abc import Iterator
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from regard.app.wording import OPENINGS
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.browser_navigation import box_of, settled
from tests.support.translate_page import DESK, LARGE, LONG, PHONE, in_view, sized, top

OPENING = OPENINGS["translate"]["en", "fr"]


@pytest.fixture(scope="module")
def desk(context: BrowserContext, app_url: str) -> Iterator[Locator]:
    """The stepper as it opens, for those that change nothing."""
    page = context.new_page()
    yield sized(page, app_url, DESK)
    page.close()


def test_everything_that_matters_is_in_the_first_view(desk: Locator) -> None:
    stepper, page = desk, desk.page
    expect(page.get_by_label("English sentence")).to_have_value(OPENING)
    parts = [
        page.get_by_label("English sentence"),
        page.locator("p.translation"),
        stepper.get_by_test_id("announce"),
        *stepper.get_by_test_id("source-token").all(),
        *stepper.get_by_test_id("target-token").all(),
        stepper.get_by_test_id("heat-cell").last,
        *stepper.get_by_test_id("weight-bar").all(),
        *stepper.locator("[data-testid=top-token]:visible").all(),
    ]
    assert stepper.locator("[data-testid=top-token]:visible").count() == 5
    in_view(page, parts, top(stepper.locator(".transport")))
    in_view(page, [stepper.locator(".transport")], DESK["height"])
    assert stepper.locator(".bars-box, .heat-box").evaluate_all(
        "boxes => boxes.every(box => box.scrollHeight <= box.clientHeight + 1)"
    )


def test_on_a_phone_the_lines_come_first_then_the_heatmap_and_the_controls_stay(page: Page, app_url: str) -> None:
    stepper = sized(page, app_url, PHONE)
    lines, heat, panel = (stepper.locator(part) for part in (".sentence", ".heat", ".panel"))
    assert top(lines) < top(heat) < top(panel)
    controls = stepper.locator(".transport")
    in_view(page, [lines, stepper.locator("tbody tr").first], top(controls))
    in_view(page, [controls], PHONE["height"])
    expect(stepper.get_by_test_id("line-grip")).to_be_visible()
    line = page.locator(".answer p.about").first
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight + 1")


def test_arithmetic_leaves_its_number_in_view_and_follows_the_step_until_escape(page: Page, app_url: str) -> None:
    stepper = sized(page, app_url, DESK, "?step=4")
    drawer = page.locator(".st-key-arithmetic")
    for number in (stepper.get_by_test_id("weight-bar").nth(5), stepper.get_by_test_id("heat-cell").nth(3)):
        (number.get_by_role("button") if number.get_by_role("button").count() else number).click()
        expect(drawer).to_contain_text("NumPy recomputation:")
        expect(number).to_have_class(re.compile(r"\bopened\b"))
        box, cover = box_of(number), box_of(drawer)
        apart = box["x"] + box["width"] <= cover["x"] + 1 or cover["x"] + cover["width"] <= box["x"] + 1
        assert apart or box["y"] + box["height"] <= cover["y"]
        assert cover["y"] + cover["height"] <= top(stepper.locator(".transport")) + 1
        page.keyboard.press("Escape")
        expect(page.locator(".arithmetic-open")).to_have_count(0)
    stepper.get_by_test_id("score-bar").first.click()
    expect(drawer).to_contain_text("at step 4")
    page.keyboard.press("ArrowRight")
    expect(drawer).to_contain_text("at step 5")
    drawer.get_by_text("Stay at this step").click()
    settled(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1000)
    expect(drawer).to_contain_text("at step 5")
    page.keyboard.press("Escape")
    expect(page.locator(".arithmetic-open")).to_have_count(0)
    expect(stepper.locator(".opened")).to_have_count(0)


def test_present_fills_the_window_until_escape(desk: Locator) -> None:
    stepper, page = desk, desk.page
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    stepper.get_by_test_id("large").click()
    expect(stepper).to_have_class(re.compile(r"\blarge\b"))
    expect(page.get_by_label("English sentence")).to_be_hidden()
    expect(stepper.get_by_test_id("top-token").locator("visible=true")).to_have_count(5)
    expect(stepper.get_by_test_id("large")).to_have_text("Exit (Esc)")
    expect(stepper.get_by_test_id("score-bar").first).to_be_hidden()
    in_view(page, [stepper.get_by_test_id("heat-cell").last], top(stepper.locator(".transport")))
    sizes = stepper.locator(".says, .chip, tbody th, .likely .taken").evaluate_all(
        "parts => parts.filter(part => part.checkVisibility()).map(part => parseFloat(getComputedStyle(part).fontSize))"
    )
    assert min(sizes) >= 24
    page.keyboard.press("Escape")
    expect(stepper).not_to_have_class(re.compile(r"\blarge\b"))
    expect(page.get_by_label("English sentence")).to_be_visible()
    page.set_viewport_size(DESK)  # type: ignore[arg-type]


def test_components_are_as_opaque_as_they_are_far_from_zero(desk: Locator, shipped: Pretrained) -> None:
    (trace,) = translate(shipped, [OPENING])
    strip = desk.locator('[data-kind="state"] canvas')
    expect(strip).to_be_visible()
    opaque = strip.evaluate(
        """canvas => [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data]
             .filter((_, i) => i % 4 === 3)"""
    )
    reach = max(np.abs(trace.states).max(), np.abs(trace.initial_state).max())
    state = trace.states[int(desk.get_attribute("data-step") or "") - 1]
    np.testing.assert_allclose(opaque, 255 * np.abs(state) / reach, atol=2)


def test_present_shows_the_whole_heatmap_of_a_long_sentence(page: Page, app_url: str) -> None:
    words = 40
    sentence = " ".join([*(LONG.removesuffix(".").split() * 2)[: words - 1], "dog."])
    stepper = sized(page, app_url, DESK, f"?large=1&step=30&sentence={quote(sentence)}")
    expect(stepper).to_have_class(re.compile(r"\blarge\b"))
    expect(stepper.locator("thead th")).to_have_count(words + 2)  # words, full stop and end
    whole_heatmap(stepper)
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    page.wait_for_timeout(300)  # until it is laid out anew
    whole_heatmap(stepper)


def whole_heatmap(stepper: Locator) -> None:
    """Check that nothing of the heatmap is hidden and that it does not cover the line beside it."""
    hidden = stepper.locator(".heat-box").evaluate(
        "box => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight, box.scrollTop, box.scrollLeft]"
    )
    assert max(hidden) <= 1
    right, left = (stepper.locator(part) for part in (".says > div", ".pictures"))
    edge = right.evaluate("says => says.getBoundingClientRect().right")
    assert edge <= left.evaluate("switched => switched.getBoundingClientRect().left"), "it covers the end of the line"
    rows = [stepper.locator("thead"), stepper.locator("tbody tr").last]
    in_view(stepper.page, rows, top(stepper.locator(".transport")))


STOP = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  window.stops ??= new Set();
  if (node !== document.body) window.stops.add(node);
  return window.stops.size;
}"""


CONTROLS = """() => {  // outside the menu and the picture; buttons of which one is chosen count as one
  const found = new Set();
  const walk = (root) => root.querySelectorAll("*").forEach((node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    if (!node.matches("button, input, select, textarea, summary, [data-testid=stMain] a[href]")) return;
    if (node.closest("header, .st-key-help, .frames, .says")) return;
    if (!node.checkVisibility({ visibilityProperty: true })) return;
    found.add(node.closest("[role=group].choice") ?? node);
  });
  walk(document);
  return [...found].map((node) => node.getAttribute("aria-label") || node.textContent);
}"""


def test_a_newcomer_meets_few_stops_of_the_keyboard_and_few_controls(browser: Browser, app_url: str) -> None:
    visitor = browser.new_context(reduced_motion="reduce", viewport=DESK)  # type: ignore[arg-type]
    page = visitor.new_page()
    sized(page, app_url, DESK, "?picture=network")
    settled(page)
    assert len(controls := page.evaluate(CONTROLS)) <= 20, controls
    stops = [0]
    while len(stops) < 3 or stops[-1] > stops[-3]:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(STOP))
    assert 20 < stops[-1] <= 45
    visitor.close()
