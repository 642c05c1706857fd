"""Every screen answers in its first view: a short head, then a figure, in at most two windows."""

import pytest
from playwright.sync_api import BrowserContext, ViewportSize

from tests.support.browser_navigation import settled

WINDOW: ViewportSize = {"width": 1366, "height": 768}
HEAD, BEGINS, WINDOWS = 150, 340, 2
LATE = {"compare": 460}  # each column first says which model it is, what it wrote and where it looks
FIGURES = {  # the first of each screen; a model's zip and the glossary have words only
    "learn": "[data-testid=phase-card]",
    "compare": ".lines",
    "watch": "figure.curve",
    "recorded_training": ".st-key-plot-moment",
    "beam": ".tree-box",
    "sampling": ".st-key-listing",
    "bottleneck": ".st-key-plot-growth",
    "alignment": ".st-key-pairs",
    "explanation": ".st-key-plot-weights",
    "why": ".st-key-evidence",
    "worked_examples": ".matrix",
    "transformer": ".js-plotly-plot",
    "text": ".st-key-plot-sentences",
    "attention_files": ".lines",
    "worksheet": ".sheet",
}
HEIGHTS = """() => {
    const boxes = document.querySelectorAll(".st-key-header, .st-key-head-row");
    const parts = [...boxes].map((box) => box.getBoundingClientRect());
    return {
        head: Math.max(...parts.map((part) => part.bottom)) - Math.min(...parts.map((part) => part.top)),
        page: document.querySelector("[data-testid=stMain]").scrollHeight,
    };
}"""


@pytest.mark.parametrize("screen", FIGURES)
def test_a_screen_has_a_short_head_then_its_figure_and_two_windows_at_most(
    context: BrowserContext, app_url: str, screen: str
) -> None:
    page = context.new_page()
    page.set_viewport_size(WINDOW)
    page.goto(f"{app_url}/{screen}")
    figure = page.locator(FIGURES[screen]).first
    figure.wait_for()
    settled(page)
    box, heights = figure.bounding_box(), page.evaluate(HEIGHTS)
    page.close()
    assert box is not None
    assert box["y"] <= LATE.get(screen, BEGINS)
    assert heights["head"] <= HEAD
    assert heights["page"] <= WINDOWS * WINDOW["height"]
