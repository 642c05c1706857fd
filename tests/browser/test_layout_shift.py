import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize

from benchmarks.layout_shift import DESK, PHONE, QUIET, moved, watched

STILL = (
    "translate",
    "learn",
    "compare",
    "bottleneck",
    "transformer",
    "recorded_training",
    "attention_files",
    "glossary",
)
GOOD = 0.05  # half of what web.dev/cls calls good; `make bench` measures every screen
WINDOWS = pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])


def jumps(pages: dict[str, Page]) -> dict[str, list[str]]:
    """Return what moved on each page that jumped too much; all are waited for together."""
    next(iter(pages.values())).wait_for_timeout(QUIET)
    told = {name: page.evaluate("window.regardShifted") for name, page in pages.items()}
    shifts = {name: moved(page) for name, page in pages.items()}
    return {name: told[name] for name, shift in shifts.items() if shift > GOOD}


@WINDOWS
def test_screens_keep_still_while_they_load(context: BrowserContext, app_url: str, window: ViewportSize) -> None:
    assert jumps({name: watched(context, app_url, name, window)[0] for name in STILL}) == {}
