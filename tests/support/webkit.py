"""WebKit, the engine of Safari, through its WebDriver (https://www.w3.org/TR/webdriver2).

Playwright has a WebKit of its own, which no system installs.
"""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

DRIVER = "WebKitWebDriver"
MISSING = f"no {DRIVER}: apt-get install webkit2gtk-driver xvfb"
BROWSERS = "/usr/lib", "*/webkit2gtk-*/MiniBrowser"
PATIENCE = 60.0  # seconds


@dataclass(frozen=True)
class WebKit:
    """A window: `session` is its address at the driver."""

    session: str

    def open(self, url: str) -> None:
        _ask(f"{self.session}/url", url=url)

    def run(self, script: str) -> Any:
        """Return what the body of a function returns in the page."""
        return _ask(f"{self.session}/execute/sync", script=script, args=[])

    def wait(self, condition: str) -> None:
        """Wait until an expression holds in the page. Raises TimeoutError naming it."""
        latest = time.monotonic() + PATIENCE
        while not self.run(f"return !!({condition})"):
            if time.monotonic() > latest:
                raise TimeoutError(f"{self.run('return location.href')}: not within {PATIENCE:g} s: {condition}")
            time.sleep(0.1)


@contextmanager
def opened() -> Iterator[WebKit]:
    """Open a window on the display. Raises FileNotFoundError, saying what to do, without WebKit."""
    browser = next(Path(BROWSERS[0]).glob(BROWSERS[1]), None)
    if not shutil.which(DRIVER) or not browser:
        raise FileNotFoundError(MISSING)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with subprocess.Popen([DRIVER, f"--port={port}"]) as driver:
        try:
            _until_it_listens(port)
            options = {"binary": str(browser), "args": ["--automation"]}
            asked = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            at = f"http://127.0.0.1:{port}/session"
            yield WebKit(f"{at}/{_ask(at, capabilities=asked)['sessionId']}")
        finally:
            driver.terminate()


def _until_it_listens(port: int) -> None:
    latest = time.monotonic() + PATIENCE
    while time.monotonic() < latest:
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        time.sleep(0.1)


def _ask(address: str, **content: Any) -> Any:
    request = Request(address, json.dumps(content).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)["value"]
