"""Pictures of the real app for the README: `python -m docs.screenshots` writes them beside this file."""

from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser

from benchmarks.chromium import opened
from benchmarks.server import serve

SENTENCE = "The boy who is wearing a blue shirt is playing football."
STEP = 7
HERE = Path(__file__).parent


def main() -> None:
    with serve() as served, opened() as browser:
        for scheme in ("light", "dark"):
            _take(browser, f"{served.url}/?sentence={quote(SENTENCE)}&step={STEP}", scheme)


def _take(browser: Browser, url: str, scheme: str) -> None:
    """The stepper with the arithmetic of the weight it looks at most."""
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    page = context.new_page()
    page.set_viewport_size({"width": 1400, "height": 1400})
    page.goto(url)
    bars = page.get_by_test_id("weight-bar")
    bars.nth(6).click()
    page.get_by_text("NumPy recomputation:").wait_for()
    page.wait_for_timeout(1000)  # fonts and fading
    page.screenshot(path=HERE / f"translate-{scheme}.png")
    context.close()


if __name__ == "__main__":
    main()
