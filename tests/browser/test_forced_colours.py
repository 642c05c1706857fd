from playwright.sync_api import Page

from tests.support.axe import violations
from tests.support.first_view import DESK, opened

GROUND = "node => getComputedStyle(node).backgroundColor"


def test_bars_weights_and_pressed_switches_keep_their_colours(page: Page, app_url: str) -> None:
    page.emulate_media(color_scheme="dark", forced_colors="active")
    stepper = opened(page, app_url, DESK, "?step=4")
    fill = stepper.locator(".weight.heaviest .fill").first
    assert fill.evaluate(GROUND) != stepper.locator(".weight .track").first.evaluate(GROUND)
    assert "0, 0, 0" not in fill.evaluate(GROUND)
    colours = stepper.get_by_test_id("heat-cell").evaluate_all(
        "cells => cells.slice(0, 20).map(cell => getComputedStyle(cell).backgroundColor)"
    )
    assert len(set(colours)) > 5
    stepper.get_by_test_id("view").click()
    pressed, other = (stepper.get_by_test_id(f"units-{units}").evaluate(GROUND) for units in ("words", "tokens"))
    assert pressed != other
    assert violations(page) == []
