"""Bombs: kilobytes that once froze or killed the server, each sent to a real one while its health is checked."""

import http.client
import json
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import urlencode

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.process_usage import processor_seconds, resident_megabytes
from benchmarks.report import Table
from benchmarks.server import Served, serve
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from regard.app.server.connections import MESSAGE_BYTES

EVERY = 0.005  # seconds between two health checks
MARKS = "\u0301\u0323"


@dataclass(frozen=True)
class Bomb:
    """A link or a field's state, sent to an open screen; `key` is the end of the field's id."""

    screen: str
    link: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    text: str = ""
    file: bytes = b""
    opened_with: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Blast:
    """The effect of a request: seconds until the answer, CPU seconds, slowest health check, peak megabytes."""

    answer: float
    processor: float
    health: float
    megabytes: float


def ordinary() -> dict[str, Bomb]:
    """Return ordinary requests, to compare with."""
    return {
        "an ordinary sentence": Bomb("", key="-sentence", text="The old man bought a red car yesterday."),
        "an ordinary pair on Alignment": Bomb("alignment", {"pair": "5"}),
    }


def bombs() -> dict[str, Bomb]:
    """Return expensive requests, by name."""
    pasted = {"opened_from": "Pasted text"}
    a_file = {"opened_from": "A file"}
    return {
        "`149-149` on 5,000 lines, pasted": Bomb(
            "attention_files", key="-foreign_text", text="149-149\n" * 5000, opened_with=pasted
        ),
        "the same on 12,000 lines, 96 kB": Bomb(
            "attention_files", key="-foreign_text", text="149-149\n" * 12_000, opened_with=pasted
        ),
        "19.6 MB of `0-0 `, a file": Bomb(
            "attention_files", key="-foreign_file", file=b"0-0 " * 4_900_000, opened_with=a_file
        ),
        "150,001 characters, a letter and its marks": Bomb("", key="-sentence", text="a" + MARKS * 75_000),
        "the same in a link": Bomb("", {"sentence": "a" + MARKS * 75_000}),
        "a sentence of 4 MB": Bomb("", key="-sentence", text="I love you. " * 333_000),
        "a sentence of 20,000 characters": Bomb("", key="-sentence", text="I love you. " * 1666),
        "a sentence of two direction marks": Bomb("", key="-sentence", text="\u202e\u202d"),
        "an example by a link of 8 kB": Bomb("worked_examples", {"hand": "q~" + "1" * 8000}),
        "12,000 tokens changed in a link": Bomb("", {"change": _changes("tokens", 12_000)}),
        "20,000 words masked in a link": Bomb("", {"change": _changes("hidden", 20_000)}),
        "1e400 in a link, Alignment": Bomb("alignment", {"pair": "1e400"}),
        "a zip of 50 MB of zeros": Bomb(
            "model_import", key="-zip-0", file=_zip({"mine/config.json": b"0" * 50_000_000})
        ),
        "a zip whose config.json is 100,000 `[`": Bomb(
            "model_import", key="-zip-0", file=_zip({"mine/config.json": b"[" * 100_000})
        ),
    }


def once() -> dict[str, Bomb]:
    """Return requests that are expensive the first time only."""
    return {"a story's first posteriors, Alignment": Bomb("alignment", {"read_from": "posterior"})}


def measure() -> list[Table]:
    with serve() as served:
        for bomb in ordinary().values():
            detonate(served, bomb)
        blasts = {name: detonate(served, bomb) for name, bomb in (ordinary() | bombs() | once()).items()}
    return [table(blasts)]


def table(blasts: Mapping[str, Blast]) -> Table:
    """Return the table, a row for each bomb."""
    return Table(
        "Bombs",
        "Requests that once froze the server for everyone, sent to an open screen: time until the page is there, the "
        "server's processor time, the slowest answer of `/_stcore/health` meanwhile, requested every "
        f"{1000 * EVERY:.0f} ms, and the rise in memory. The first two rows are no bombs. Nor is the "
        "last: it is computed once for all visitors, a few sentences at a time, with a progress bar.",
        ("", "answer (ms)", "processor (ms)", "slowest health (ms)", "memory (MB)"),
        tuple(
            (
                name,
                f"{1000 * blast.answer:.0f}",
                f"{1000 * blast.processor:.0f}",
                f"{1000 * blast.health:.0f}",
                f"{blast.megabytes:.0f}",
            )
            for name, blast in blasts.items()
        ),
    )


def detonate(served: Served, bomb: Bomb) -> Blast:
    """Open the screen, send the bomb, and wait for the page."""
    with WebsocketVisitor(served.url) as visitor:
        page = visitor.run(bomb.screen, urlencode(bomb.opened_with))
        states = [_state(visitor, page, bomb)] if bomb.key else []
        query = urlencode({**bomb.opened_with, **bomb.link}, errors="surrogatepass")
        before = processor_seconds(served.process)
        with watched(served) as (healths, megabytes):
            page = visitor.run(bomb.screen, query, states)
        if page.exceptions or not visitor.arrived:
            raise RuntimeError(f"{bomb.screen} {bomb.key}: {page.exceptions or visitor.answers}")
        if page.closed != (len(query) + sum(state.ByteSize() for state in states) > MESSAGE_BYTES):
            raise RuntimeError(f"{bomb.screen} {bomb.key}: {'closed' if page.closed else 'not closed'}")
        return Blast(
            page.seconds,
            processor_seconds(served.process) - before,
            max(healths, default=0.0),
            max(megabytes) - megabytes[0],
        )


def _state(visitor: WebsocketVisitor, page: Page, bomb: Bomb) -> WidgetState:
    (identity,) = [identity for identity in page.widgets() if identity.endswith(bomb.key)]
    if bomb.file:
        return visitor.upload(identity, "file.zip" if bomb.file[:2] == b"PK" else "file.txt", bomb.file)
    return WidgetState(id=identity, string_value=bomb.text)


@contextmanager
def watched(served: Served) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    """Check the server's health throughout the block; yield the seconds of each check, and the server's megabytes."""
    healths, megabytes, over = list[float](), [resident_megabytes(served.process)], threading.Event()

    def ask() -> None:
        connection = http.client.HTTPConnection(served.url.removeprefix("http://"), timeout=60)
        while not over.wait(EVERY):
            began = time.perf_counter()
            connection.request("GET", "/_stcore/health")
            connection.getresponse().read()
            healths.append(time.perf_counter() - began)
            megabytes.append(resident_megabytes(served.process))
        connection.close()

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield healths, megabytes
    finally:
        over.set()
        asking.join()


def _changes(kind: str, count: int) -> str:
    every = [*range(count)] if kind == "hidden" else [[step, 5] for step in range(count)]
    return json.dumps({kind: every}, separators=(",", ":"))


def _zip(files: Mapping[str, bytes]) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()
