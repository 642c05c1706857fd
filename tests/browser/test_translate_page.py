"""Whole journeys through the Translate screen in a real browser."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from regard.app.wording import OPENINGS
from tests.support.axe import check_open
from tests.support.browser_navigation import complaints, link_value, settled
from tests.support.run_command import call
from tests.support.translate_page import SENTENCE, ask, open_page

OPENING = OPENINGS["translate"]["en", "fr"]
HOSTILE = (
    '<img src=x onerror="window.ran=1"> </s> <pad> <0x41>',
    "$\\href{javascript:window.ran=1}{x}$ <script>window.ran=1</script> [a](javascript:window.ran=1) :red[x]",
    "مرحبا بالعالم \u202e evil \u0000\u0007 日本語 🙂👩‍👩‍👧",
)


def command_line(sentence: str, *more: str) -> dict:
    """Return the output of `translate --json` for a sentence."""
    status, out, told = call("translate", "--json", *more, sentence)
    assert status == 0, told
    return json.loads(out)


@pytest.fixture
def opened(page: Page, app_url: str, console_errors: list[str]) -> Iterator[Page]:
    """The page as a newcomer finds it; whatever the test does must leave the console clean."""
    open_page(page, app_url)
    yield page
    assert console_errors == []


@pytest.fixture(scope="module")
def shared(context: BrowserContext, app_url: str) -> Iterator[tuple[Page, list[str]]]:
    """The page with a sentence, opened once for those that leave the sentence as it is; and its complaints."""
    page = context.new_page()
    errors = complaints(page)
    open_page(page, app_url, f"?sentence={quote(SENTENCE)}")
    settled(page)
    yield page, errors
    page.close()


@pytest.fixture
def asked(shared: tuple[Page, list[str]]) -> Iterator[Page]:
    """The page with a sentence; whatever the test does must leave the console clean and the arithmetic closed."""
    page, errors = shared
    yield page
    expect(page.locator(".arithmetic-open")).to_have_count(0)
    assert errors == []


def test_the_french_forms_while_one_types_and_enter_writes_the_link(opened: Page) -> None:
    field, french, link = opened.get_by_label("English sentence"), opened.locator("p.translation"), opened.url
    field.fill("")
    field.press_sequentially("She has a red ca")
    expect(french).to_have_text(command_line("She has a red")["text"]["target"])
    field.press_sequentially("r.")
    expect(french).to_have_text(command_line("She has a red car.")["text"]["target"])
    expect(field).to_be_focused()
    assert link_value(opened.url, "sentence") == link_value(link, "sentence")
    field.press("Enter")
    opened.wait_for_url(lambda url: link_value(url, "sentence") == "She has a red car.")
    ask(opened, "Where are you?")
    expect(opened.get_by_test_id("source-token").first).to_have_text("Where")
    opened.evaluate("window.sameVisit = true")
    opened.go_back()
    expect(field).to_have_value("She has a red car.")
    assert opened.evaluate("window.sameVisit")  # not loaded anew, which would end the visit
    assert link_value(opened.url, "sentence") == "She has a red car."
    expect(french).to_have_text(command_line("She has a red car.")["text"]["target"])


def test_the_posterior_on_screen_is_the_command_lines_and_opens_and_the_link_brings_it_back(opened: Page) -> None:
    ask(opened, SENTENCE)
    told = command_line(SENTENCE, "--reading", "posterior")
    stepper = opened.get_by_test_id("stepper")
    opened.get_by_test_id("view").click()
    opened.get_by_test_id("units-tokens").click()
    opened.get_by_test_id("reading-posterior").click()
    bars = stepper.get_by_test_id("posterior-bar")
    expect(bars).to_have_count(len(told["source"]))
    expect(opened.get_by_test_id("announce")).to_contain_text("Knowing it, the posterior is")
    expect(stepper.locator(".heat")).to_contain_text("What the weights would be once the word")
    opened.keyboard.press("End")
    cells = stepper.get_by_test_id("heat-cell")
    shown = cells.evaluate_all("cells => cells.map(c => [+c.dataset.row, +c.dataset.column, +c.dataset.value])")
    assert len(shown) == len(told["target"]) * len(told["source"])
    assert all(told["posterior"][int(r)][int(c)] == pytest.approx(value, abs=1e-6) for r, c, value in shown)
    likelihoods = stepper.get_by_test_id("likelihood-bar").evaluate_all("bars => bars.map(bar => +bar.dataset.value)")
    assert likelihoods == pytest.approx(told["likelihood"][-1], abs=1e-6)
    bars.first.click()
    panel = opened.locator(".st-key-arithmetic")
    expect(panel).to_contain_text("NumPy recomputation:")
    expect(panel).to_contain_text("posterior of “The”")
    expect(panel).not_to_contain_text("do not agree")
    panel.get_by_role("button", name="likelihood of").first.click()
    expect(panel).to_contain_text("with all weight on “The”")
    opened.wait_for_url(lambda url: link_value(url, "rows") == "posterior")
    opened.reload()
    expect(opened.get_by_test_id("reading-posterior")).to_have_attribute("aria-pressed", "true")
    expect(stepper.get_by_test_id("posterior-bar").first).to_be_visible()
    expect(panel).to_contain_text("NumPy recomputation:")  # the drawer of the link's number, which lies over the menu
    opened.keyboard.press("Escape")
    expect(panel.locator(".arithmetic-open")).to_be_hidden()
    opened.get_by_test_id("view").click()
    opened.get_by_test_id("rows-input").click()
    expect(stepper.get_by_test_id("weight-bar").first).to_be_visible()
    opened.wait_for_url(lambda url: link_value(url, "rows") == "input")


def test_a_translation_is_there_before_anything_is_typed_and_stepping_sends_nothing_to_the_server(
    page: Page, app_url: str
) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("websocket")))
    stepper = open_page(page, app_url)
    expect(page.get_by_label("English sentence")).to_have_value(OPENING)
    expect(page.locator("p.translation")).to_have_text(command_line(OPENING)["text"]["target"])
    settled(page)
    page.wait_for_timeout(500)
    sent.clear()
    page.get_by_label("English sentence").press("ArrowRight")  # the field's own key
    step = int(stepper.get_attribute("data-step") or "")
    for _ in range(3):
        stepper.get_by_test_id("control-prev").click()
    expect(stepper).to_have_attribute("data-step", str(step - 3))
    page.wait_for_timeout(500)
    assert sent == []


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_typed_is_shown_and_never_run(opened: Page, text: str) -> None:
    ask(opened, text, given=text)
    opened.get_by_test_id("score-bar").first.click()
    expect(opened.locator(".st-key-arithmetic")).to_contain_text("NumPy recomputation:")
    assert opened.evaluate("window.ran") is None
    expect(opened.locator(".katex-error")).to_have_count(0)
    expect(opened.get_by_test_id("stException")).to_have_count(0)


def test_everyone_can_read_it(asked: Page) -> None:
    asked.get_by_test_id("slider").press("End")
    asked.get_by_test_id("score-bar").first.click()
    expect(asked.locator(".st-key-arithmetic")).to_contain_text("NumPy recomputation:")
    check_open(asked)
    asked.keyboard.press("Escape")
