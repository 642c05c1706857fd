"""The browser that tests and benchmarks drive: Chromium from $CHROMIUM, from the system, or Playwright's own."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def executable(playwright: Playwright) -> str:
    """Return the path of the browser. Raises FileNotFoundError, saying what to do, if there is none."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or playwright.chromium.executable_path
    if not Path(found).is_file():
        raise FileNotFoundError(f"no browser at {found}: run `make browser`, or name a Chromium in CHROMIUM")
    return found


def arguments() -> list[str]:
    """Return the command-line arguments; Chromium refuses to run as root in its sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*QUIET, "--no-sandbox"] if root else list(QUIET)


@contextmanager
def opened() -> Iterator[Browser]:
    """Open a new browser and close it at the end of the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(playwright), args=arguments())
        yield browser
        browser.close()
