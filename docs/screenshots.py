"""Pictures of the real app for the README: `python -m docs.screenshots` writes all or those named."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from playwright.sync_api import Page

from benchmarks.chromium import opened
from benchmarks.server import serve
from regard.app.export.translator.document import page as page_of
from regard.model.checkpoint import load, shipped

SENTENCE = "The boy who is wearing a blue shirt is playing football."
STEP = 7
HERE = Path(__file__).parent


def main() -> None:
    with serve() as served, opened() as browser:
        context = browser.new_context(color_scheme="light", reduced_motion="reduce")
        for name in sys.argv[1:] or PICTURES:
            page = context.new_page()
            PICTURES[name](page, served.url)
            page.wait_for_timeout(2000)  # fonts and fading
            page.screenshot(path=HERE / f"{name}.png")
            page.close()


def _translate(page: Page, url: str) -> None:
    """The first view, at the end of its play."""
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(url)
    page.get_by_text("Encoder:").wait_for()


def _beam(page: Page, url: str) -> None:
    page.set_viewport_size({"width": 1400, "height": 1400})
    page.goto(f"{url}/beam?sentence={quote(SENTENCE)}")
    page.get_by_text("The translations found").wait_for()


def _worked_examples(page: Page, url: str) -> None:
    """A worked example, with the numbers that its document got wrong."""
    page.set_viewport_size({"width": 1400, "height": 1400})
    page.goto(f"{url}/worked_examples?example=luong-general")
    page.get_by_text("Can attention be computed by hand?").wait_for()


def _watch(page: Page, url: str) -> None:
    """The recorded run of the model that comes with the program, at its end."""
    page.set_viewport_size({"width": 1400, "height": 1080})
    page.goto(f"{url}/watch")
    page.get_by_text("Measured on the models").wait_for()


def _one_file(page: Page, _: str) -> None:
    """The page that translates by itself, opened from disk, with a posterior opened down to its terms."""
    page.set_viewport_size({"width": 1366, "height": 900})
    with TemporaryDirectory() as folder:
        file = Path(folder) / "regard.html"
        file.write_text(page_of([load(shipped())]), encoding="utf-8")
        page.goto(f"{file.as_uri()}#sentence={quote(SENTENCE)}&step={STEP}&rows=posterior&picture=alignment")
        page.get_by_test_id("posterior-bar").nth(STEP - 1).click()
        page.get_by_text("knowing").first.wait_for()


PICTURES = {
    "translate": _translate,
    "beam": _beam,
    "worked-examples": _worked_examples,
    "watch": _watch,
    "one-file": _one_file,
}


if __name__ == "__main__":
    main()
