"""Size of the server after every model has been used on every screen."""

from urllib.parse import urlencode

from playwright.sync_api import Page

from benchmarks.chromium import opened
from benchmarks.process_usage import peak_megabytes
from benchmarks.report import Table
from benchmarks.server import serve
from benchmarks.translation import SENTENCES
from regard.app.navigation import SCREENS
from regard.model.checkpoint import CONFIG, PRETRAINED

QUIET = '[data-testid="stApp"][data-test-script-state="notRunning"]'
PATIENCE = 120_000  # milliseconds until a screen times out


def measure() -> list[Table]:
    models = sorted(path.parent.name for path in PRETRAINED.glob(f"en-*/{CONFIG}"))
    with opened() as browser, serve() as served:
        page = browser.new_context().new_page()
        rows = [("after one translation", _use(page, served.url, "translate", models[0], served.process))]
        for screen in SCREENS:
            sizes = [_use(page, served.url, screen, model, served.process) for model in models]
            rows.append((f"after {screen} with each", sizes[-1]))
    return [
        Table(
            "Memory with all models in turn",
            f"The most megabytes that the server has held so far, when each screen is opened with each model "
            f"({len(models)}: {', '.join(models)}) one after the other, with a sentence of 20 words.",
            ("", "MB"),
            tuple((name, f"{size:.0f}") for name, size in rows),
        )
    ]


def _use(page: Page, url: str, screen: str, model: str, process: int) -> float:
    """Open a screen with a model; return the server's peak megabytes so far."""
    path = "" if screen == "translate" else screen
    page.goto(f"{url}/{path}?{urlencode({'model': model, 'sentence': SENTENCES[20]})}")
    page.locator(QUIET).wait_for(timeout=PATIENCE, state="attached")
    page.wait_for_load_state("networkidle")
    page.locator(QUIET).wait_for(timeout=PATIENCE, state="attached")
    return peak_megabytes(process)
