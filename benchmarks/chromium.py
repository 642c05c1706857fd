"""The browser that tests and benchmarks drive: Chromium from $CHROMIUM, from the system, or Playwright's own."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import Playwright

QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def executable(playwright: Playwright) -> str:
    """Raises FileNotFoundError, saying what to do, when there is no browser."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or playwright.chromium.executable_path
    if not Path(found).is_file():
        raise FileNotFoundError(f"no browser at {found}: run `make browser`, or name a Chromium in CHROMIUM")
    return found


def arguments() -> list[str]:
    """Of the command line; Chromium refuses to run as root in its sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*QUIET, "--no-sandbox"] if root else list(QUIET)
