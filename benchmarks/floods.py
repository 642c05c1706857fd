"""Floods: more requests than any visitor needs, and the memory that the server still holds when they are over."""

import random
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load import new_sentence
from benchmarks.process_usage import resident_megabytes
from benchmarks.report import Table
from benchmarks.server import STREAMLIT, serve
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from regard.app.main import COLLECT_EVERY
from regard.model.checkpoint import shipped

SENTENCES, BEAMS, ZIPS, VISITS = 500, 100, 50, 200
WARM_UP = 10  # a flood this many times smaller precedes the first measurement of memory
AWAY = 5  # seconds until a closed visit expires; Streamlit's default is 120
PER_VISIT = 5  # zips; a visit may hold six models
POINTS = 10  # in a curve
Flood = Callable[[str, int], Iterator[None]]  # floods the server at an address, the given number of times


class FloodError(RuntimeError):
    """The server did not do what the flood requested, so nothing was measured."""


@dataclass(frozen=True)
class Curve:
    """Megabytes that the server holds before a flood, in its course, and once settled afterwards."""

    before: float
    course: Sequence[float]
    after: float


def measure() -> list[Table]:
    floods: dict[str, tuple[Flood, int]] = {
        f"{SENTENCES} long sentences in one visit": (_sentences, SENTENCES),
        f"{BEAMS} searches of width 10": (_beams, BEAMS),
        f"{ZIPS} zips of models, each opened": (_zips, ZIPS),
        f"{VISITS} visits opened and closed": (_visits, VISITS),
    }
    command = (*STREAMLIT, f"--server.disconnectedSessionTTL={AWAY}")
    with serve(command) as served:
        for flood, count in floods.values():
            for _ in flood(served.url, count // WARM_UP):
                pass
        warm = _settled(served.process)
        curves = {name: _curve(served.url, served.process, *flood) for name, flood in floods.items()}
    return [table(warm, curves)]


def table(warm: float, curves: dict[str, Curve]) -> Table:
    """Return the table, a row for each flood."""
    return Table(
        "Floods",
        f"Resident megabytes of the server: {warm:.0f} after a warm-up by a tenth of each flood; then before each "
        f"flood, {POINTS} times during it, and {AWAY + 2 * COLLECT_EVERY} seconds after it. A visit expires {AWAY} "
        "seconds after it was closed.",
        ("", "before", "during", "after", "share of the value after warm-up"),
        tuple(
            (
                name,
                f"{curve.before:.0f}",
                " ".join(f"{value:.0f}" for value in curve.course),
                f"{curve.after:.0f}",
                f"{100 * curve.after / warm:.0f}%",
            )
            for name, curve in curves.items()
        ),
    )


def _curve(url: str, process: int, flood: Flood, count: int) -> Curve:
    before, course = resident_megabytes(process), []
    for number, _ in enumerate(flood(url, count), 1):
        if number % max(1, count // POINTS) == 0:
            course.append(resident_megabytes(process))
    return Curve(before, course, _settled(process))


def _sentences(url: str, count: int) -> Iterator[None]:
    with WebsocketVisitor(url) as visitor:
        field = _field(visitor.run(""))
        for sentence in _long_sentences(count):
            _check_shown(visitor.run("", "", [WidgetState(id=field, string_value=sentence)]), 'class="translation"')
            yield


def _beams(url: str, count: int) -> Iterator[None]:
    query = "beam_width=10"
    with WebsocketVisitor(url) as visitor:
        field = _field(visitor.run("beam", query))
        for sentence in _long_sentences(count):
            page = visitor.run("beam", query, [WidgetState(id=field, string_value=sentence)])
            _check_shown(page, "Greedy decoding")
            yield


def _zips(url: str, count: int) -> Iterator[None]:
    zipped = _zip(shipped())
    for first in range(0, count, PER_VISIT):
        with WebsocketVisitor(url) as visitor:
            for _ in range(first, min(count, first + PER_VISIT)):
                fields = visitor.run("model_import").widgets().items()
                (field,) = [identity for identity, kind in fields if kind == "file_uploader"]
                brought = visitor.run("model_import", "", [visitor.upload(field, "mine.zip", zipped)])
                _check_shown(brought, "Open in the stepper")
                buttons = [part.button for part in brought.elements if part.button.label == "Open in the stepper"]
                visitor.run("model_import", "", [WidgetState(id=buttons[-1].id, trigger_value=True)])
                yield


def _visits(url: str, count: int) -> Iterator[None]:
    for _ in range(count):
        with WebsocketVisitor(url) as visitor:
            _check_shown(visitor.run(""), 'class="translation"')
        yield


def _check_shown(page: Page, text: str) -> None:
    if page.closed or text not in page.words:
        raise FloodError(f"{text} was not shown; {page.exceptions or page.text[:300]}")


def _field(page: Page) -> str:
    """Return the id of the sentence's field."""
    return next(identity for identity in page.widgets() if identity.endswith("-sentence"))


def _long_sentences(count: int) -> Iterator[str]:
    """Yield different sentences of about thirty words, new ones at each call."""
    chance = random.Random(time.time())
    for _ in range(count):
        yield " and ".join(new_sentence(chance)[:-1].lower() for _ in range(3)).capitalize() + "."


def _zip(folder: Path) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"mine/{file.name}")
    return content.getvalue()


def _settled(process: int) -> float:
    """Wait until closed visits have expired and garbage was collected; return the resident megabytes."""
    time.sleep(AWAY + 2 * COLLECT_EVERY)
    return resident_megabytes(process)
