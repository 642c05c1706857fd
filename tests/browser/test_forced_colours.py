import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import violations
from tests.support.browser_navigation import PATIENCE, settled

GROUND = "node => getComputedStyle(node).backgroundColor"
INK = "node => getComputedStyle(node).color"


@pytest.fixture
def forced(page: Page) -> Page:
    page.emulate_media(color_scheme="dark", forced_colors="active")
    return page


def opened(page: Page, address: str) -> Locator:
    page.goto(address)
    stepper = page.get_by_test_id("stepper")
    expect(stepper).to_be_visible(timeout=PATIENCE)
    settled(page)
    return stepper


def differ(one: Locator, other: Locator) -> None:
    """Check that two elements, such as a pressed button and another, have different backgrounds."""
    assert one.evaluate(GROUND) != other.evaluate(GROUND)


def test_bars_weights_and_pressed_switches_keep_their_colours(forced: Page, app_url: str) -> None:
    stepper = opened(forced, f"{app_url}/?step=4&picture=alignment")
    fill = stepper.locator(".weight.heaviest .fill").first
    assert fill.evaluate(GROUND) != stepper.locator(".weight .track").first.evaluate(GROUND)
    assert "0, 0, 0" not in fill.evaluate(GROUND)
    colours = stepper.get_by_test_id("heat-cell").evaluate_all(
        "cells => cells.slice(0, 20).map(cell => getComputedStyle(cell).backgroundColor)"
    )
    assert len(set(colours)) > 5
    stepper.get_by_test_id("view").click()
    differ(stepper.get_by_test_id("units-words"), stepper.get_by_test_id("units-tokens"))
    assert violations(forced) == []
