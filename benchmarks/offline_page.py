"""Waiting times of the self-contained page: opening it, and translating a typed sentence."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.chromium import opened
from benchmarks.report import Table, spread
from regard.app.export.translator.document import page as document
from regard.model.checkpoint import Pretrained

VISITS = 5
SLOWER = 4  # times, as a phone is
SENTENCE = "The boy who is wearing a {} shirt is playing football with his friends today."  # 15 words
COLOURS = ("blue", "red", "green", "white", "black", "yellow", "brown", "grey")

# Milliseconds from Enter to the end of the frame that shows the translation, as in `benchmarks.page`.
WATCH = """() => {
  window.regardBench = [];
  addEventListener("keydown", press => press.key === "Enter" && requestAnimationFrame(() => {
    const frame = new MessageChannel();
    frame.port1.onmessage = () => window.regardBench.push(
      [performance.now() - press.timeStamp, document.querySelector("#translation").textContent]);
    frame.port2.postMessage(0);
  }), {capture: true});
}"""
TRANSLATED = "() => document.querySelector('#translation')?.textContent && performance.now()"


def measure(model: Pretrained) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder, opened() as browser:
        files = {name: Path(folder) / f"{name}.html" for name in ("float16", "int8")}
        for name, file in files.items():
            file.write_text(document([model], rounded=name == "int8"), encoding="utf-8")
        first = [_first_translation(browser, files["float16"]) for _ in range(VISITS)]
        typed = {rate: _typed(browser, files["float16"], rate) for rate in (1, SLOWER)}
        sizes = {name: file.stat().st_size / 1e6 for name, file in files.items()}
    return [
        Table(
            "Regard in one file",
            f"The file that `regard export --html` writes, opened from disk in Chromium: {VISITS} times for "
            f"the first translation; {len(COLOURS)} sentences of {len(SENTENCE.split())} words typed, from Enter to "
            "the end of the frame that shows the translation and all its numbers; once more with the processor slowed.",
            ("", "value"),
            (
                ("from opening to the first translation, s", spread(first, 2)),
                ("from Enter to the painted translation, ms", spread(typed[1])),
                (f"the same with the processor {SLOWER} times slower, ms", spread(typed[SLOWER])),
                ("file, MB", f"{sizes['float16']:.1f}"),
                ("file with weights rounded to 8 bits, MB", f"{sizes['int8']:.1f}"),
            ),
        )
    ]


def _first_translation(browser: Browser, file: Path) -> float:
    """Return the seconds from loading the page to its first translation."""
    page = browser.new_context().new_page()
    page.goto(file.as_uri(), wait_until="commit")
    milliseconds = page.wait_for_function(TRANSLATED).json_value()
    page.context.close()
    return float(milliseconds) / 1000


def _typed(browser: Browser, file: Path, slower: int) -> list[float]:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.goto(file.as_uri())
    page.wait_for_function(TRANSLATED)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.evaluate(WATCH)
    times = [_type(page, SENTENCE.format(colour)) for colour in COLOURS]
    page.context.close()
    return times


def _type(page: Page, sentence: str) -> float:
    """Return one sentence's milliseconds. Raises RuntimeError if the frame after Enter still showed the last one's."""
    before = page.locator("#translation").inner_text()
    seen = page.evaluate("window.regardBench.length")
    page.locator("#sentence").fill(sentence)
    page.locator("#sentence").press("Enter")
    page.wait_for_function("seen => window.regardBench.length > seen", arg=seen)
    milliseconds, shown = page.evaluate("window.regardBench.at(-1)")
    if shown == before:
        raise RuntimeError(f"the frame after Enter did not show the translation of “{sentence}”")
    return float(milliseconds)
