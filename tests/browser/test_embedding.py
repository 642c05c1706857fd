import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page

from benchmarks.server import ROOT, serve

LINE = re.findall(r"```html\n(.*?)```", (ROOT / "docs" / "one-file.md").read_text(encoding="utf-8"), re.DOTALL)[0]


class Platform(BaseHTTPRequestHandler):
    """Another site: a page whose only content is a frame with the address after its own."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'{LINE}<iframe src="{unquote(self.path[1:])}" width=780 height=500></iframe>'.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests' output is for the tests."""


@pytest.fixture(scope="module")
def platform() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Platform) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_a_named_site_shows_the_app_in_its_page(page: Page, platform: str, console_errors: list[str]) -> None:
    with serve(environment=[("REGARD_EMBED", platform)]) as served:
        page.goto(f"{platform}/{served.url}/?embed=true")
        frame = page.frame_locator("iframe")
        frame.get_by_test_id("stepper").wait_for()
        page.wait_for_function("document.querySelector('iframe').offsetHeight > 600")  # the frame had 500
        main = frame.get_by_test_id("stMain")
        assert main.evaluate("main => main.scrollHeight - main.clientHeight") <= 1  # it neither scrolls nor grows
        help_, links = (frame.locator(one).bounding_box() for one in (".st-key-help", "[data-testid=stTopNav]"))
        assert help_
        assert links
        assert links["x"] + links["width"] <= help_["x"]
        page.goto("about:blank")
    assert console_errors == []


def test_no_other_site_does(page: Page, platform: str, app_url: str, console_errors: list[str]) -> None:
    page.goto(f"{platform}/{app_url}/?embed=true")
    page.wait_for_load_state("networkidle")
    assert page.frame_locator("iframe").get_by_test_id("stepper").count() == 0
    assert any("frame-ancestors" in error for error in console_errors)
