"""Pictures of the real app for the README: `python -m docs.screenshots` writes them beside this file."""

from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page

from benchmarks.chromium import opened
from benchmarks.server import serve
from model.intervention import Intervention

SENTENCE = "The boy who is wearing a blue shirt is playing football."
STEP = 7
MASKED = Intervention(hidden=(6,))  # “blue”
HERE = Path(__file__).parent


def main() -> None:
    with serve() as served, opened() as browser:
        for scheme in ("light", "dark"):
            context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
            _translate(context.new_page(), served.url, HERE / f"translate-{scheme}.png")
            _what_if(context.new_page(), served.url, HERE / f"what-if-{scheme}.png")
            _beam(context.new_page(), served.url, HERE / f"beam-{scheme}.png")
            _by_hand(context.new_page(), served.url, HERE / f"by-hand-{scheme}.png")
            context.close()


def _translate(page: Page, url: str, file: Path) -> None:
    """The stepper with the arithmetic of the weight it looks at most."""
    page.set_viewport_size({"width": 1400, "height": 1400})
    page.goto(f"{url}/?sentence={quote(SENTENCE)}&step={STEP}")
    bars = page.get_by_test_id("weight-bar")
    bars.nth(6).click()
    page.get_by_text("NumPy recomputation:").wait_for()
    _picture(page, file)


def _what_if(page: Page, url: str, file: Path) -> None:
    """A translation before and after one of its source words is masked."""
    page.set_viewport_size({"width": 1400, "height": 1400})
    page.goto(f"{url}/?sentence={quote(SENTENCE)}&step={STEP}&change={quote(MASKED.to_json())}")
    page.get_by_role("heading", name="After").wait_for()
    _picture(page, file)


def _beam(page: Page, url: str, file: Path) -> None:
    page.set_viewport_size({"width": 1400, "height": 1400})
    page.goto(f"{url}/beam?sentence={quote(SENTENCE)}")
    page.get_by_text("The translations found").wait_for()
    _picture(page, file)


def _by_hand(page: Page, url: str, file: Path) -> None:
    """The first worked example, with the first number that its document got wrong."""
    page.set_viewport_size({"width": 1400, "height": 1400})
    page.goto(f"{url}/by_hand")
    page.get_by_text("The first wrong number:").wait_for()
    _picture(page, file)


def _picture(page: Page, file: Path) -> None:
    page.wait_for_timeout(2000)  # fonts and fading
    page.screenshot(path=file)
    page.close()


if __name__ == "__main__":
    main()
