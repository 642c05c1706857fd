from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from regard.app.wording import OPENINGS
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.browser_navigation import PATIENCE, box_of, middle, settled

PHONE: Any = {"width": 390, "height": 844}
OPENING = OPENINGS["translate"]["en", "fr"]
Point = tuple[float, float]


@pytest.fixture
def phone(browser: Browser, app_url: str) -> Iterator[Page]:
    """A phone's page on step 4 of the opening sentence."""
    visitor = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    visitor.set_default_timeout(PATIENCE)
    page = visitor.new_page()
    page.goto(f"{app_url}/?step=4&picture=alignment")
    expect(page.get_by_test_id("stepper")).to_have_attribute("data-step", "4")
    settled(page)
    yield page
    visitor.close()


@pytest.fixture
def finger(phone: Page) -> Callable[[str, Sequence[Point]], None]:
    """Send the browser a touch event of one finger, as the touch screen does."""
    devtools = phone.context.new_cdp_session(phone)

    def touch(kind: str, points: Sequence[Point] = ()) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
        phone.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    return touch


def weights(page: Page) -> list[float]:
    return page.get_by_test_id("weight-bar").evaluate_all("bars => bars.map(bar => Number(bar.dataset.value))")


def test_a_finger_leads_a_line_to_another_word(phone: Page, finger: Callable[..., None], shipped: Pretrained) -> None:
    before = translate(shipped, [OPENING])[0]
    heaviest = int(before.weights[3].argmax())
    (x, y), (goal, _) = (
        middle(part)
        for part in (phone.locator(".line-grip .knob"), phone.get_by_test_id("source-token").nth(heaviest - 1))
    )
    finger("touchStart", [(x, y)])
    for i in range(1, 21):  # a hand is never quite level
        finger("touchMove", [(x + (goal - x) * i / 20, y + i)])
    finger("touchEnd")
    row = [0.0] * len(before.source)
    row[heaviest - 1] = 1.0
    after = what_if.translate(shipped, OPENING, Intervention(weights=((3, tuple(row)),)))
    expect(phone.locator("p.translation")).to_have_text(after.text)
    assert "change" in parse_qs(urlsplit(phone.url).query)
    chip = phone.get_by_role("button", name="step 4: weights set by hand")
    expect(chip).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("button", name="I love you")).to_be_in_viewport()


def test_a_drag_that_the_browser_cancels_is_undone(phone: Page, finger: Callable[..., None]) -> None:
    stepper = phone.get_by_test_id("stepper")
    own, sentence = weights(phone), stepper.get_by_test_id("announce").inner_text()
    tokens = stepper.get_by_test_id("target-token").all_inner_texts()
    x, y = middle(phone.locator(".line-grip .knob"))
    finger("touchStart", [(x, y)])
    for i in range(1, 9):
        finger("touchMove", [(x - 5 * i, y)])
    expect(stepper.get_by_test_id("announce")).to_contain_text("With these weights")
    assert weights(phone) != own
    finger("touchCancel")
    expect(stepper.get_by_test_id("announce")).to_have_text(sentence)
    assert weights(phone) == own
    assert stepper.get_by_test_id("target-token").all_inner_texts() == tokens
    phone.wait_for_timeout(500)  # longer than a change waits to be sent
    settled(phone)
    assert "change" not in parse_qs(urlsplit(phone.url).query)


def test_a_finger_that_scrolls_over_a_weight_leaves_it_as_it_was(phone: Page, finger: Callable[..., None]) -> None:
    slider = phone.get_by_test_id("weight-slider").nth(2)
    slider.scroll_into_view_if_needed()
    own = weights(phone)
    x, y = middle(slider)
    finger("touchStart", [(x, y)])
    for i in range(1, 16):
        finger("touchMove", [(x, y - 10 * i)])
    finger("touchEnd")
    phone.wait_for_timeout(500)
    settled(phone)
    assert weights(phone) == own
    assert "change" not in parse_qs(urlsplit(phone.url).query)


def lower(page: Page, part: Locator) -> None:
    """Bring a part into view, below the middle so that the page can scroll on even if nothing follows the part."""
    part.evaluate("part => part.scrollIntoView({ block: 'center' })")
    page.get_by_test_id("stMain").evaluate("main => main.scrollBy(0, -120)")


def swipe(finger: Callable[..., None], part: Locator, across: float, up: float) -> None:
    """Move a finger from the middle of a part that is in view."""
    x, y = middle(part)
    finger("touchStart", [(x, y)])
    for i in range(1, 16):
        finger("touchMove", [(x + across * i / 15, y - up * i / 15)])
    finger("touchEnd")


@pytest.mark.parametrize(
    ("screen", "part"),
    [
        ("?picture=alignment", ".heat-box"),
        ("text", ".js-plotly-plot"),
        ("beam", "[data-testid=stSlider] div:has(> [data-testid=stSliderThumbValue])"),
    ],
)
def test_a_finger_that_goes_up_over_a_drawing_or_a_slider_scrolls_the_page_and_sets_nothing(
    phone: Page, app_url: str, finger: Callable[..., None], screen: str, part: str
) -> None:
    phone.goto(f"{app_url}/{screen}")
    drawn = phone.locator(part).first
    expect(drawn).to_be_visible()
    settled(phone)
    address, main = phone.url, phone.get_by_test_id("stMain")
    lower(phone, drawn)
    before = main.evaluate("main => main.scrollTop")
    swipe(finger, drawn, 0, 120)
    moved = "least => document.querySelector('[data-testid=stMain]').scrollTop > least"
    phone.wait_for_function(moved, arg=before + 60)
    settled(phone)
    assert phone.url == address


def test_the_question_mark_of_a_field_shows_its_help_to_a_finger(phone: Page, app_url: str) -> None:
    phone.goto(f"{app_url}/beam")
    phone.get_by_role("button", name="Options").tap()
    phone.get_by_role("button", name="Help for Length α").tap()
    expect(phone.get_by_test_id("stTooltipContent")).to_contain_text("favours short translations")


def test_the_lines_of_another_model_lead_to_its_words(phone: Page) -> None:
    phone.get_by_role("button", name="network", exact=True).tap()
    phone.get_by_test_id("stCheckbox").get_by_text("Attention", exact=True).tap()
    expect(phone.locator("p.translation mark").first).to_be_visible()
    settled(phone)
    line, word = phone.locator(".row-lines path:not([hidden])").first, phone.locator(".chip.current")
    (x, _), box = middle(word), box_of(phone.locator("svg.lines"))
    start = float(str(line.get_attribute("d")).removeprefix("M").split(" ")[0])
    assert box["x"] + start == pytest.approx(x, abs=2)
