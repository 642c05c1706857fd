"""Results of a page that holds models, beside PyTorch's: every number of both, compared by name."""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.server import ROOT
from regard.app.components.shared.packed import as_text
from regard.app.components.stepper.payload import payload
from regard.app.export.translator.document import page as page_of
from regard.model.alignment import Posterior
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.what_if import translate
from regard.model.checkpoint import AnyModel
from regard.model.trace import AnyTrace
from tests.support.browser_navigation import PATIENCE

# The line of script that a page with a frame needs, as the documentation prints it.
LINE = re.findall(r"```html\n(.*?)```", (ROOT / "docs" / "one-file.md").read_text(encoding="utf-8"), re.DOTALL)[0]
NEAR = 1e-4  # how far two programs may differ that add float32 numbers in another order
# Arrays of the page as payload.py writes them, for they travel to the test as text.
PACKED = """(drawn) => JSON.stringify(drawn, (_, value) => {
  if (!(value instanceof Float32Array)) return value;
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
})"""
TOLD = f"""async ([name, sentence, changes, own]) =>
  ({PACKED})(await regard.translate(sentence, changes, own, name))"""

# What the page says of changes: what it offers, how it words each, and what is left without it.
CHANGES_TOLD = """async ([sentence, changes, own]) => {
  const {engine, names, modelCalled} = regard;
  const model = await modelCalled(names[0]);
  const [before, after] = [{}, changes].map(
    (some) => engine.translate(model, sentence, engine.interventionOf(some), own));
  const told = engine.toldOf(model.tokenizer, sentence, before, after);
  return {
    offered: engine.offeredFor(model.tokenizer, sentence, own, before, after),
    told: told.map(({text}) => text),
    without: told.map(({without}) => engine.toJson(without)),
  };
}"""


class Asked(NamedTuple):
    sentence: str
    changes: Intervention = UNTOUCHED
    given: str = ""


class Apart(NamedTuple):
    """The differences between the page's and PyTorch's numbers of one translation."""

    farthest: float  # of all numbers
    unequal: tuple[str, ...]  # places of texts, tokens and shapes that are not the same


@contextmanager
def disconnected(browser: Browser) -> Iterator[Page]:
    """A visitor without a network, whose page asks for nothing but itself and in which nothing goes wrong."""
    context = browser.new_context(offline=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []
    assert all(url.startswith(("file:///", "data:,")) and url.split("#")[0].endswith((".html", ",")) for url in asked)


def open_page(page: Page, models: Sequence[AnyModel], folder: Path, *, rounded: bool = False) -> None:
    """Write a page that holds these models and open it from disk, with its first translation drawn."""
    file = folder / "regard.html"
    file.write_text(page_of(models, rounded=rounded), encoding="utf-8")
    page.goto(f"{file.as_uri()}#picture=alignment")
    page.get_by_test_id("stepper").wait_for()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder, served to this machine as any web server serves files."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *values: object) -> None:
            """Nothing is told."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def told(page: Page, name: str, asked: Sequence[Asked]) -> Iterator[dict[str, Any]]:
    """Return the page's payload of each translation; one after the other, because each may be megabytes."""
    for one in asked:
        yield json.loads(page.evaluate(TOLD, [name, one.sentence, json.loads(one.changes.to_json()), one.given]))


def apart(page: Page, model: AnyModel, asked: Sequence[Asked]) -> list[Apart]:
    """The page's numbers beside those of PyTorch, for each translation."""
    pairs = zip(told(page, model.name, asked), asked, strict=True)
    return [compared(drawn, translate(model, one.sentence, one.changes, one.given)) for drawn, one in pairs]


def compared(drawn: Mapping[str, Any], trace: AnyTrace, posteriors: Sequence[Posterior] = ()) -> Apart:
    (expected,) = json.loads(as_text(payload([trace], posteriors=posteriors)))["traces"]
    return _apart(drawn, expected, "")


def _apart(one: Any, other: Any, place: str) -> Apart:
    if isinstance(other, Mapping) and set(other) == {"shape", "data"}:
        return _arrays_apart(one, other, place)
    if isinstance(other, Mapping) and isinstance(one, Mapping):
        if one.keys() != other.keys():
            return Apart(0, (f"{place}: {sorted(one.keys() ^ other.keys())}",))
        if "top_ids" in other:
            one = _ordered_alike(one, other)
        return _farthest([_apart(one[name], other[name], f"{place}.{name}") for name in other])
    if isinstance(other, list | tuple) and isinstance(one, list):
        if len(one) != len(other):
            return Apart(0, (f"{place}: {len(one)} and {len(other)}",))
        return _farthest([_apart(*pair, f"{place}[]") for pair in zip(one, other, strict=True)])
    if isinstance(other, float) and isinstance(one, int | float):
        return Apart(abs(one - other), ())
    return Apart(0, () if one == other else (f"{place}: {one!r} and {other!r}",))


def _ordered_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the likeliest tokens in the other's order where only tokens equal but for rounding changed places."""
    array = other["arrays"]["top_probability"]
    chances = np.frombuffer(base64.b64decode(array["data"]), dtype="<f4").reshape(array["shape"])
    rows = []
    for ids, tokens, theirs, chance in zip(one["top_ids"], one["top_tokens"], other["top_ids"], chances, strict=False):
        places = [ids.index(token) if token in ids else rank for rank, token in enumerate(theirs)]
        alike = sorted(places) == list(range(len(ids))) and np.abs(chance[places] - chance).max(initial=0) < NEAR
        rows.append(([ids[place] for place in places], [tokens[place] for place in places]) if alike else (ids, tokens))
    if len(rows) != len(one["top_ids"]):
        return one
    return {**one, "top_ids": [ids for ids, _ in rows], "top_tokens": [tokens for _, tokens in rows]}


def _arrays_apart(one: Mapping[str, Any], other: Mapping[str, Any], place: str) -> Apart:
    if one["shape"] != other["shape"]:
        return Apart(0, (f"{place}: {one['shape']} and {other['shape']}",))
    found, expected = (np.frombuffer(base64.b64decode(text), dtype="<f4") for text in (one["values"], other["data"]))
    return Apart(float(np.abs(found - expected).max(initial=0)), ())


def _farthest(all_apart: Sequence[Apart]) -> Apart:
    unequal = tuple(place for one in all_apart for place in one.unequal)
    return Apart(max((one.farthest for one in all_apart), default=0), unequal)
