"""The drawer of a number's arithmetic on Translate: opened, followed to what it came from, and closed."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser_navigation import settled
from tests.support.translate_page import SENTENCE, open_page


@pytest.fixture
def asked(page: Page, app_url: str, console_errors: list[str]) -> Iterator[Page]:
    """The page with a sentence; whatever the test does must leave the console clean."""
    open_page(page, app_url, f"?sentence={quote(SENTENCE)}")
    settled(page)
    yield page
    assert console_errors == []


def test_a_number_opens_its_arithmetic_and_what_it_came_from_and_closing_returns_to_it(
    asked: Page,
) -> None:
    asked.get_by_test_id("slider").press("End")
    number = asked.get_by_test_id("score-bar").first
    number.press("Enter")
    panel = asked.locator(".st-key-arithmetic")
    expect(panel).to_contain_text("NumPy recomputation:")
    expect(panel).to_contain_text("score of “The”")
    expect(panel.locator(".katex").first).to_be_visible()
    fade = "drawer => drawer.clientWidth - parseFloat(getComputedStyle(drawer, '::after').width)"
    assert panel.evaluate(fade) < 100  # it covers the drawer's lower edge, all but the padding
    expect(asked.locator(".katex-error")).to_have_count(0)
    panel.get_by_role("button", name="of the state").first.click()
    expect(panel).to_contain_text("Arithmetic of the component")
    panel.get_by_role("button", name="Back").click()
    expect(panel).to_contain_text("score of “The”")
    step = int(asked.get_by_test_id("stepper").get_attribute("data-step") or "")
    asked.get_by_test_id("control-prev").press("Enter")
    expect(asked.get_by_test_id("stepper")).to_have_attribute("data-step", str(step - 1))
    expect(panel).to_contain_text(f"at step {step - 1}")  # the arithmetic follows, and Close is drawn anew
    settled(asked)
    panel.get_by_role("button", name="Close").press("Enter")
    expect(panel.locator("p")).to_have_count(0)
    expect(number).to_be_focused()


def test_the_link_opens_the_number_that_was_open(page: Page, app_url: str, console_errors: list[str]) -> None:
    open_page(page, app_url, f"?sentence={quote(SENTENCE)}&step=3")
    page.get_by_test_id("score-bar").nth(1).click()
    panel = page.locator(".st-key-arithmetic")
    expect(panel).to_contain_text("NumPy recomputation:")
    page.get_by_test_id("control-next").click()
    expect(panel).to_contain_text("at step 4")
    page.wait_for_url("**number=score.trace.0.step.3.position.1*")
    shown = panel.locator("p").all_inner_texts()
    page.reload()
    expect(panel).to_contain_text("at step 4")
    assert panel.locator("p").all_inner_texts() == shown
    settled(page)
    expect(page.locator("[data-testid=score-bar][data-position='1'].opened")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel.locator("p")).to_have_count(0)
    page.wait_for_url(lambda link: "number=" not in link)
    assert console_errors == []
