"""The stepper's sentence about a step, in plain text, without a browser."""

import json
from collections.abc import Mapping
from typing import Any

from tests.support.javascript import STEPPER, evaluated

DOCUMENT = """const text = (part) => (typeof part === "string" ? part : part.text);
globalThis.document = { createElement: () => {
  const node = { text: "", setAttribute() {}, append(...all) { node.text += all.map(text).join(""); } };
  return node;
} };"""


def said(drawn: Mapping[str, Any], step: int, units: str = "words", rows: str = "output") -> str:
    """`drawn` is one trace of a payload, after a journey through JSON; numbers that can be clicked are as they read."""
    return _told(drawn, step, units, rows, "(number) => number")[0]


def named(drawn: Mapping[str, Any], step: int, units: str = "words", rows: str = "output") -> list[dict[str, Any]]:
    """Return what each number in the sentence opens."""
    return _told(drawn, step, units, rows, "(number, quantity) => { opened.push(quantity); return number; }")[1]


def _told(drawn: Mapping[str, Any], step: int, units: str, rows: str, number: str) -> tuple[str, list[dict[str, Any]]]:
    before = f"""{DOCUMENT}
const opened = [];
const trace = open({json.dumps(drawn)}, 0);
const reading = readAs(trace, {{ units: "{units}", rows: "{rows}" }});"""
    told = f'[sayColumn(trace, reading, {step}, {number}).map(text).join(""), opened]'
    return evaluated(
        told, {STEPPER / "trace_reading.js": "open, readAs", STEPPER / "step_text.js": "sayColumn"}, before
    )
