"""A real browser; a machine without one fails these tests, it does not skip them."""

from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, Playwright, Request

from benchmarks.chromium import arguments, executable


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], playwright: Playwright) -> dict[str, Any]:
    try:
        found = executable(playwright)
    except FileNotFoundError as error:
        pytest.fail(str(error))
    return {**browser_type_launch_args, "executable_path": found, "args": arguments()}


@pytest.fixture
def console_errors(page: Page) -> list[str]:
    """What the page complained of so far: errors in its console, uncaught exceptions, requests that failed."""
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    def fail(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what a reload breaks off
            errors.append(f"{request.url}: {request.failure}")

    page.on("console", listen)
    page.on("requestfailed", fail)
    page.on("pageerror", lambda error: errors.append(f"uncaught: {error}"))
    return errors
