"""Waiting times of a visitor, for the first paint and a step of the decoder; memory that one more visitor costs."""

import time
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

from benchmarks.chromium import opened
from benchmarks.process_usage import resident_megabytes
from benchmarks.report import Table, spread
from benchmarks.server import serve
from benchmarks.translation import SENTENCES

STARTS = 3
VISITS = 5
PRESSES = 15
VISITORS = 10
ENDS = ("End", "Home") * 4
LENGTHS = (20, 40, 60, 74)  # words; a screen shows up to 79 tokens
LONG = (
    "The boy who is wearing a blue shirt is playing football with two other boys in front of the school, while an old "
    "man with a small dog is sitting on a wooden bench under a tree and watching them, and a young woman in a red "
    "dress is talking to her friends about the weather in the city today."
)

# Milliseconds from each key press to the end of the frame that shows its effect (a message posted while a frame is
# prepared arrives after it), and to the beginning of the next frame.
WATCH = """() => {
  window.regardBench = {shown: [], next: []};
  addEventListener("keydown", press => requestAnimationFrame(() => {
    const since = times => () => times.push(performance.now() - press.timeStamp);
    const frame = new MessageChannel();
    frame.port1.onmessage = since(window.regardBench.shown);
    frame.port2.postMessage(0);
    requestAnimationFrame(since(window.regardBench.next));
  }), {capture: true});
}"""


def measure() -> list[Table]:
    with opened() as browser:
        started = [_first_paint(browser) for _ in range(STARTS)]
        with serve() as served:
            _open(browser, served.url)  # a server's first page is slower than later ones
            visits = [_visit(browser, served.url) for _ in range(VISITS)]
            stepping = _stepping(browser, served.url)
            keys = _keys(browser, served.url)
            before = resident_megabytes(served.process)
            visitors = [_open(browser, served.url) for _ in range(VISITORS)]
            after = resident_megabytes(served.process)
            for page in visitors:
                page.context.close()
    return [_waiting(started, visits), stepping, keys, _memory(before, after)]


def _open(browser: Browser, url: str) -> Page:
    """Open the page in a fresh browser profile and wait for the stepper."""
    page = browser.new_context().new_page()
    page.goto(url)
    page.get_by_test_id("stepper").wait_for()
    return page


def _first_paint(browser: Browser) -> float:
    """Return the seconds from starting the server to the stepper, in a browser with an empty cache."""
    began = time.perf_counter()
    with serve() as served:
        page = _open(browser, served.url)
        seconds = time.perf_counter() - began
        page.context.close()
    return seconds


def _visit(browser: Browser, url: str) -> tuple[float, float, int]:
    """Return seconds to the stepper with an empty cache, megabytes until the page is quiet, and requests made."""
    page = browser.new_context().new_page()
    counted = _Traffic(page)
    began = time.perf_counter()
    page.goto(url)
    page.get_by_test_id("stepper").wait_for()
    seconds = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    page.context.close()
    return seconds, counted.received / 1e6, counted.requests


class _Traffic:
    """Bytes received and messages sent by a page from now on."""

    def __init__(self, page: Page) -> None:
        self.received = self.requests = self.sent = 0
        self.session = page.context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.session.on("Network.loadingFinished", self._finished)
        self.session.on("Network.requestWillBeSent", self._requested)
        self.session.on("Network.webSocketFrameReceived", self._heard)
        self.session.on("Network.webSocketFrameSent", self._said)

    def _finished(self, event: dict[str, Any]) -> None:
        self.received += event["encodedDataLength"]

    def _requested(self, event: dict[str, Any]) -> None:
        self.requests += not event["request"]["url"].startswith("data:")  # a picture made in the page asks nobody

    def _heard(self, event: dict[str, Any]) -> None:
        self.received += len(event["response"]["payloadData"]) * 3 // 4  # binary frames are reported in base64

    def _said(self, _: dict[str, Any]) -> None:
        self.sent += 1


def _stepping(browser: Browser, url: str) -> Table:
    """Measure steps through sentences by the arrow key, in the stepper's two pictures."""
    rows, told = [], 0
    for words, picture in ((20, "alignment"), (10, "network"), (20, "network"), (40, "network")):
        seconds, times, messages = _steps(browser, url, words, picture)
        rows.append((str(words), picture, *(spread(times[name]) for name in ("shown", "next")), f"{seconds:.1f}"))
        told += messages
    return Table(
        "A step in the browser",
        f"Milliseconds from pressing the right arrow key to the end of the frame that shows the next step, and to the "
        f"beginning of the frame after it, over at most {PRESSES} presses; and seconds from opening the page until the "
        f"picture is there. {told} requests and websocket messages were sent to the server meanwhile.",
        ("words", "picture", "shown, ms", "next frame, ms", "opened, s"),
        tuple(rows),
    )


def _steps(browser: Browser, url: str, words: int, picture: str) -> tuple[float, dict[str, list[float]], int]:
    """Return the seconds until a picture is there, the times of its steps, and the count of messages sent meanwhile."""
    began = time.perf_counter()
    page = _open(browser, f"{url}/?{urlencode({'sentence': SENTENCES[words], 'step': 1, 'picture': picture})}")
    page.locator(".network .drawing, .stepper:not(.networked) .heat").first.wait_for()
    seconds = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    page.get_by_test_id("stepper").focus()
    page.evaluate(WATCH)
    traffic = _Traffic(page)
    for _ in range(min(PRESSES, words - 1)):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)
    times = page.evaluate("window.regardBench")
    page.context.close()
    return seconds, times, traffic.requests + traffic.sent


# Milliseconds from a key press until nothing moves any more and a third frame is there.
STILL = """stepper => {
  window.regardBench = {End: [], Home: []};
  addEventListener("keydown", press => {
    const still = frames => () => {
      if (frames < 3 || stepper.getRootNode().getAnimations().length) requestAnimationFrame(still(frames + 1));
      else window.regardBench[press.key].push(performance.now() - press.timeStamp);
    };
    requestAnimationFrame(still(1));
  }, {capture: true});
}"""


def longest(words: int) -> str:
    """Return the first words of a long sentence, which begins again after 60."""
    return " ".join((2 * LONG.split())[:words])


def _keys(browser: Browser, url: str) -> Table:
    """Measure the keys that go to either end of a sentence, with motion on."""
    rows = [_ends(browser, url, words, picture) for words in LENGTHS for picture in ("alignment", "network")]
    return Table(
        "To the ends of a sentence",
        f"Milliseconds from End or Home until nothing in the stepper moves any more and three frames have been drawn, "
        f"over {len(ENDS) // 2} presses of each, for a visitor who has not asked for reduced motion.",
        ("words", "picture", "End, ms", "Home, ms"),
        tuple(rows),
    )


def _ends(browser: Browser, url: str, words: int, picture: str) -> tuple[str, ...]:
    page = browser.new_context(reduced_motion="no-preference").new_page()
    page.add_init_script("localStorage.setItem('regard-seen', '1')")  # it does not play by itself
    page.goto(f"{url}/?{urlencode({'sentence': longest(words), 'step': 1, 'picture': picture})}")
    stepper = page.get_by_test_id("stepper")
    stepper.wait_for()
    page.wait_for_load_state("networkidle")
    stepper.focus()
    stepper.evaluate(STILL)
    for number, key in enumerate(ENDS, start=1):
        page.keyboard.press(key)
        page.wait_for_function("number => Object.values(regardBench).flat().length === number", arg=number)
    times = page.evaluate("window.regardBench")
    page.context.close()
    return str(words), picture, spread(times["End"]), spread(times["Home"])


def _waiting(started: list[float], visits: list[tuple[float, float, int]]) -> Table:
    seconds, megabytes, requests = zip(*visits, strict=True)
    return Table(
        "The first page",
        f"Seconds until the stepper is there, in a browser with an empty cache: from starting the server's process "
        f"({STARTS} times), and from opening the page of a running server ({VISITS} times). The bytes are those that "
        "travel, compressed, websocket messages included.",
        ("", "value"),
        (
            ("from starting the server, s", spread(started)),
            ("from opening the page, s", spread(seconds, 2)),
            ("received, MB", spread(megabytes, 2)),
            ("requests", spread(requests, 0)),
        ),
    )


def _memory(before: float, after: float) -> Table:
    each = (after - before) / VISITORS
    return Table(
        "Memory of the server",
        f"Resident megabytes with a few sessions, and the megabytes that each of {VISITORS} more open sessions adds.",
        ("", "MB"),
        (("server", f"{before:.0f}"), ("each further session", f"{each:.2f}" if each > 0 else "too little to measure")),
    )
