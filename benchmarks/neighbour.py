"""Slowdown of one visitor's translations while another visitor trains a network."""

import time
from statistics import median
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from benchmarks.chromium import opened
from benchmarks.report import Table, spread
from benchmarks.server import serve

NOUNS = ("dog", "cat", "house", "car", "book", "tree", "boat", "table", "door", "river", "garden", "window")
COLOURS = ("red", "green")  # in the sentences before and during the training
LONG = {"longest": 20, "hidden": 256, "attention": "none", "most": 20000}  # a training that outlasts the measurement


def measure() -> list[Table]:
    with opened() as browser, serve() as served:
        reader, trainer = (browser.new_context().new_page() for _ in range(2))
        reader.goto(served.url)
        reader.get_by_test_id("stepper").wait_for()
        trainer.goto(f"{served.url}/watch?{urlencode(LONG)}")
        start, stop = (trainer.get_by_role("button", name=name, exact=True) for name in ("Start", "Stop"))
        expect(start).to_be_enabled(timeout=60_000)
        alone = [_translate(reader, f"I can see the {COLOURS[0]} {noun}.", noun) for noun in NOUNS]
        start.click()
        expect(trainer.get_by_test_id("status")).to_contain_text("update", timeout=60_000)
        together = [_translate(reader, f"I can see the {COLOURS[1]} {noun}.", noun) for noun in NOUNS]
        expect(stop).to_be_enabled()  # the training was still running
    return [
        Table(
            "A visitor beside a training",
            f"Milliseconds from Enter until the stepper shows it, for {len(NOUNS)} new sentences of 6 words each, "
            "with nobody else on the server, and while another visitor's network is trained by it.",
            ("", "ms"),
            (
                ("alone", spread(alone)),
                ("beside a training", spread(together)),
                ("ratio of the medians", f"{median(together) / median(alone):.2f}"),
            ),
        )
    ]


def _translate(page: Page, sentence: str, noun: str) -> float:
    """Return the milliseconds from Enter until the stepper shows the sentence."""
    field = page.get_by_label("English sentence")
    field.fill(sentence)
    began = time.perf_counter()
    field.press("Enter")
    page.get_by_test_id("stepper").get_by_text(noun, exact=True).first.wait_for()
    return (time.perf_counter() - began) * 1000
