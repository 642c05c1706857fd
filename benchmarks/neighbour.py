"""Waiting times of one visitor, at Enter and while typing, alone and while another visitor trains a network."""

from statistics import median
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from benchmarks.chromium import opened
from benchmarks.report import Table, spread
from benchmarks.server import serve

# No French word has one of them in it.
NOUNS = ("dog", "cat", "house", "car", "book", "tree", "boat", "letter", "door", "river", "garden", "window")
COLOURS = ("red", "green", "blue")  # in the sentences entered before and during the training, and in those typed
KEYS = 80  # milliseconds between two keys, as of somebody who types well
LONG = {"longest": 20, "hidden": 256, "attention": "none", "most": 20000}  # a training that outlasts the measurement

# Milliseconds from a key to the end of the frame in which the stepper shows a word, as in `benchmarks.page`.
WATCH = """(stepper, [key, word]) => void (window.regardPainted = new Promise(resolve => {
  const pressed = press => {
    if (press.key !== key) return;
    removeEventListener("keydown", pressed, {capture: true});
    const look = () => {
      if (!stepper.textContent.includes(word)) return requestAnimationFrame(look);
      const frame = new MessageChannel();
      frame.port1.onmessage = () => resolve(performance.now() - press.timeStamp);
      frame.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  };
  addEventListener("keydown", pressed, {capture: true});
}))"""


def measure() -> list[Table]:
    with opened() as browser, serve() as served:
        reader, trainer = (browser.new_context().new_page() for _ in range(2))
        reader.goto(served.url)
        reader.get_by_test_id("stepper").wait_for()
        trainer.goto(f"{served.url}/watch?{urlencode(LONG)}")
        start, stop = (trainer.get_by_role("button", name=name, exact=True) for name in ("Start", "Stop"))
        expect(start).to_be_enabled(timeout=60_000)
        alone = [_translate(reader, f"I can see the {COLOURS[0]} {noun}.", noun) for noun in NOUNS]
        typed = [_type(reader, f"I can see the {COLOURS[2]} {noun}.", noun) for noun in NOUNS]
        start.click()
        expect(trainer.get_by_test_id("status")).to_contain_text("update", timeout=60_000)
        together = [_translate(reader, f"I can see the {COLOURS[1]} {noun}.", noun) for noun in NOUNS]
        expect(stop).to_be_enabled()  # the training was still running
    return [
        Table(
            "A visitor beside a training",
            f"Milliseconds from Enter to the end of the frame in which the stepper shows it, for {len(NOUNS)} new "
            "sentences of 6 words each, with nobody else on the server, and while another visitor's network is trained "
            f"by it. *As you type* is from the full stop, with a key every {KEYS} ms and no Enter; 200 ms of it are "
            "the pause after which the words so far are translated.",
            ("", "ms"),
            (
                ("alone", spread(alone)),
                ("alone, as you type", spread(typed)),
                ("beside a training", spread(together)),
                ("ratio of the medians", f"{median(together) / median(alone):.2f}"),
            ),
        )
    ]


def _translate(page: Page, sentence: str, noun: str) -> float:
    """Return the milliseconds from Enter to the end of the frame in which the stepper shows the sentence."""
    field = page.get_by_label("English sentence")
    page.get_by_test_id("stepper").evaluate(WATCH, ["Enter", noun])
    field.fill(sentence)
    field.press("Enter")
    return float(page.evaluate("window.regardPainted"))


def _type(page: Page, sentence: str, noun: str) -> float:
    """Return the milliseconds from the sentence's last key to the end of the frame in which the stepper shows it."""
    field = page.get_by_label("English sentence")
    page.get_by_test_id("stepper").evaluate(WATCH, [sentence[-1], noun])
    field.fill("")
    field.press_sequentially(sentence, delay=KEYS)
    return float(page.evaluate("window.regardPainted"))
