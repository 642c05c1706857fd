"""Every screen in its first view: a short head, then a figure, in at most two windows; nothing jumps while it loads.

Everyone can read each: here, or at the end of a screen's own journey.
"""

from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize

from benchmarks.layout_shift import DESK, PHONE, QUIET, moved, watched
from tests.support.axe import check
from tests.support.browser_navigation import opened

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
STILL = "translate learn compare bottleneck transformer recorded_training attention_files glossary".split()
GOOD = 0.05  # half of what web.dev/cls calls good; `make bench` measures every screen
LARGEST = "size-S!8~size-E!8~size-H!8~size-V!8"  # matrices of eight rows, which scroll in their own box on a phone
READ = {  # links to what is read in no journey, and what is there once they are open
    "alignment?view=All%20measured": "text=What this shows.",
    "bottleneck": ".js-plotly-plot",
    "recorded_training": ".js-plotly-plot",
    f"sampling?sentence={quote('I see the house.')}&samples=4": ".js-plotly-plot",
    f"attention_search?sentence={quote('I see the house.')}&word=maison": "[data-testid=verdict]",
    "worked_examples": ".matrix",
    "worked_examples?example=module": "[data-testid=stCode]",
    f"worked_examples?hand={LARGEST}~seed!3~preset!huge": ".st-key-hand-step-keys tr:nth-child(8) [data-testid=entry]",
    "worksheet?sheet_answers=true": ".sheet",
}


@pytest.mark.parametrize("screen", FIGURES)
def test_a_screen_has_a_short_head_then_its_figure_and_two_windows_at_most(
    page: Page, app_url: str, screen: str
) -> None:
    page.set_viewport_size(DESK)
    box = opened(page, f"{app_url}/{screen}", FIGURES[screen]).bounding_box()
    heights = page.evaluate(HEIGHTS)
    assert box is not None
    assert box["y"] <= LATE.get(screen, BEGINS)
    assert heights["head"] <= HEAD
    assert heights["page"] <= WINDOWS * DESK["height"]


@pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])
def test_screens_keep_still_while_they_load(context: BrowserContext, app_url: str, window: ViewportSize) -> None:
    pages = {name: watched(context, app_url, name, window)[0] for name in STILL}
    next(iter(pages.values())).wait_for_timeout(QUIET)  # for all together
    what = {name: page.evaluate("window.regardShifted") for name, page in pages.items()}
    shifts = {name: moved(page) for name, page in pages.items()}
    assert {name: what[name] for name, shift in shifts.items() if shift > GOOD} == {}


@pytest.mark.parametrize("link", READ)
def test_everyone_can_read_it(page: Page, app_url: str, link: str) -> None:
    check(page, lambda: opened(page, f"{app_url}/{link}", READ[link]))
