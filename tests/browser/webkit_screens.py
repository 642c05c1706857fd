"""Every screen in the engine of Safari: `make webkit`. `make test` needs no WebKit and leaves this file out."""

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

import pytest

from regard.app.navigation import FIRST, SCREENS

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


STATE = "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState"
READY = "document.querySelector('h1') && !document.querySelector('[data-testid=stSkeleton]')"
IDLE = f"{READY} && {STATE} === 'notRunning'"
PLACES = "[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"  # shadow roots, to be drawn in
DRAWN = f"{PLACES}.every((place) => place.shadowRoot?.children.length > 1)"
FAILED = "document.body.innerText.match(/BidiComponent Error.*/)?.[0]"
NUMBER = f"{PLACES}.map((place) => place.shadowRoot.querySelector('.number')).find(Boolean)"


@pytest.fixture(scope="module")
def webkit() -> Iterator[WebKit]:
    with opened() as window:
        yield window


@pytest.mark.parametrize("name", SCREENS)
def test_all_components_of_a_screen_are_drawn(webkit: WebKit, app_url: str, name: str) -> None:
    webkit.open(f"{app_url}/{'' if name == FIRST else name}")
    webkit.wait(IDLE)
    webkit.wait(f"{DRAWN} || {FAILED}")
    assert webkit.run(f"return {FAILED}") is None


def test_numbers_that_open_are_underlined(webkit: WebKit, app_url: str) -> None:
    webkit.open(app_url)
    webkit.wait(f"{IDLE} && {DRAWN} && {NUMBER}")
    assert webkit.run(f"return getComputedStyle({NUMBER}).textDecorationStyle") == "dotted"
