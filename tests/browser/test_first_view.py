import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from regard.app.visitor.telling_step import telling_step
from regard.app.wording import OPENINGS
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.browser_navigation import settled
from tests.support.first_view import DESK, LARGE, LONG, PHONE, in_view, opened, top

OPENING = OPENINGS["translate"]["en", "fr"]


@pytest.fixture(scope="module")
def desk(context: BrowserContext, app_url: str) -> Iterator[Locator]:
    """The stepper as it opens, for those that change nothing."""
    page = context.new_page()
    yield opened(page, app_url, DESK)
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


def test_the_keyboard_meets_the_controls_of_the_stepper_first_which_stand_below(desk: Locator) -> None:
    stops = desk.locator("button:not([tabindex='-1']), input, select, [tabindex='0']")
    expect(stops.first).to_have_attribute("data-testid", "control-prev")
    assert top(stops.first) > top(desk.get_by_test_id("announce"))


def test_the_scores_of_a_longer_sentence_scroll_above_the_vectors(page: Page, app_url: str) -> None:
    stepper = opened(page, app_url, DESK, "?sentence=The boy who is wearing a blue shirt is playing football now.")
    assert (box := stepper.locator(".bars-box")).evaluate("box => box.scrollHeight > box.clientHeight")
    assert box.evaluate("box => box.getBoundingClientRect().bottom") <= top(stepper.locator(".vectors")) + 1
    page.keyboard.press("Home")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        assert not box.evaluate(  # in its fading edge
            """box => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
                 const [seen, bar] = [box, box.querySelector(".heaviest")].map(part => part.getBoundingClientRect());
                 done(box.matches(".more-below") && bar.bottom > seen.bottom - 20); })))"""
        )


def test_it_opens_out_of_order(desk: Locator, shipped: Pretrained) -> None:
    trace = translate(shipped, [OPENING])[0]
    step = telling_step(trace)
    expect(desk).to_have_attribute("data-step", str(step))
    looked = trace.weights.argmax(1)
    assert any(looked[later] < looked[step - 1] for later in range(step, len(looked)))


def test_on_a_phone_the_lines_come_first_then_the_heatmap_and_the_controls_stay(page: Page, app_url: str) -> None:
    stepper = opened(page, app_url, PHONE)
    lines, heat, panel = (stepper.locator(part) for part in (".sentence", ".heat", ".panel"))
    assert top(lines) < top(heat) < top(panel)
    controls = stepper.locator(".transport")
    in_view(page, [lines, stepper.locator("tbody tr").first], top(controls))
    in_view(page, [controls], PHONE["height"])
    expect(stepper.get_by_test_id("line-grip")).to_be_visible()
    line = page.locator(".answer p.about").first
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight + 1")


def test_where_the_name_of_a_vector_is_cut_its_symbol_is_not(page: Page, app_url: str) -> None:
    stepper = opened(page, app_url, DESK, f"?sentence={LONG}&step=12")
    strips, cut = stepper.locator(".vectors .named-strip"), "name => name.scrollWidth > name.clientWidth"
    expect(strips.last.locator(".symbol")).to_have_text("h̃12")
    assert not strips.last.locator(".called").evaluate(cut)
    page.set_viewport_size({"width": 920, "height": 768})
    assert strips.last.locator(".called").evaluate(cut)
    for strip in strips.all():
        whole, symbol = strip.bounding_box(), strip.locator(".symbol").bounding_box()
        assert whole
        assert symbol
        assert symbol["x"] + symbol["width"] <= whole["x"] + whole["width"] + 1


def test_arithmetic_leaves_its_number_in_view_and_follows_the_step_until_escape(page: Page, app_url: str) -> None:
    stepper = opened(page, app_url, DESK, "?step=4")
    drawer = page.locator(".st-key-arithmetic")
    for number in (stepper.get_by_test_id("weight-bar").nth(5), stepper.get_by_test_id("heat-cell").nth(3)):
        (number.get_by_role("button") if number.get_by_role("button").count() else number).click()
        expect(drawer).to_contain_text("NumPy recomputation:")
        expect(number).to_have_class(re.compile(r"\bopened\b"))
        box, cover = number.bounding_box(), drawer.bounding_box()
        assert box
        assert cover
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


def test_the_heatmap_beside_the_network_of_a_large_screen_is_seen_whole(page: Page, app_url: str) -> None:
    stepper = opened(page, app_url, LARGE, "?sentence=The man in a red shirt is walking.&picture=network")
    box = stepper.locator(".heat-box")
    expect(box).to_be_visible()
    page.wait_for_timeout(300)  # until it is laid out
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1")


@pytest.mark.parametrize("size", [DESK, LARGE])
def test_present_gives_two_columns_rows_that_can_be_read(page: Page, app_url: str, size: dict[str, int]) -> None:
    stepper = opened(page, app_url, size, "?large=1&edit=1&step=5&picture=alignment")
    expect(stepper).to_have_class(re.compile(r"\blarge\b.*\bseveral\b|\bseveral\b.*\blarge\b"))
    in_view(page, stepper.get_by_test_id("heat-cell").all(), top(stepper.locator(".transport")))
    heights = stepper.locator("tbody td").evaluate_all("cells => cells.map(cell => cell.offsetHeight)")
    assert min(heights) >= 16


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
    opened(page, app_url, DESK, "?picture=network")
    settled(page)
    assert len(controls := page.evaluate(CONTROLS)) <= 20, controls
    stops = [0]
    while len(stops) < 3 or stops[-1] > stops[-3]:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(STOP))
    assert 20 < stops[-1] <= 45
    visitor.close()
