"""Every screen in the engine of Safari: `make webkit`. `make test` needs no WebKit and leaves this file out."""

from collections.abc import Iterator

import pytest

from regard.app.navigation import FIRST, SCREENS
from tests.support.webkit import WebKit, opened

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
