"""Waiting times of imported attention: making its page, opening it, and a key."""

import tempfile
import time
from pathlib import Path

import numpy as np

import regard
from benchmarks.chromium import opened
from benchmarks.report import Table, spread

SIZES = ((150, 150), (1000, 1500))  # rows and columns
KEYS = 10
# Milliseconds from each key to the end of the frame that shows the next step.
PRESSED = """async (keys) => {
  const stepper = document.querySelector("[data-testid=stepper]");
  const times = [];
  for (let i = 0; i < keys; i += 1) {
    const began = performance.now();
    stepper.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true, composed: true}));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    times.push(performance.now() - began);
  }
  return times;
}"""


def measure() -> list[Table]:
    rows = []
    with tempfile.TemporaryDirectory() as folder, opened() as browser:
        for count, width in SIZES:
            weights = np.random.default_rng(1).dirichlet(np.full(width, 0.05), count).astype(np.float32)
            file = Path(folder) / f"{count}.html"
            began = time.perf_counter()
            sides = ([f"▁{side}{place}" for place in range(size)] for side, size in (("s", width), ("t", count)))
            regard.show(weights, *sides).save(file)
            made = time.perf_counter()
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(file.as_uri())
            page.get_by_test_id("stepper").wait_for()
            seconds = time.perf_counter() - made
            keys = page.evaluate(PRESSED, KEYS)
            size = f"{file.stat().st_size / 1e6:.1f}"
            rows.append((f"{count:,} × {width:,}", f"{made - began:.1f}", size, f"{seconds:.1f}", spread(keys)))
            page.close()
    return [
        Table(
            "Imported attention",
            f"The page that `regard.show(...).save` writes of a matrix, rows × columns, in Chromium: {KEYS} steps by "
            "key, from the key to the end of the frame that shows the step.",
            ("weights", "made, s", "MB", "opened, s", "key, ms"),
            tuple(rows),
        )
    ]
