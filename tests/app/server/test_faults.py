"""Faults of a running server: broken models, a full disk, a scratch folder that is gone, signals, many at once.

Each test says what the visitor sees, what is kept and what is freed; none ends in a traceback.
"""

import os
import shutil
import signal
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.server import Served, serve
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from regard.app.models.settings import MODELS_SETTING
from regard.app.models.temporary import PREFIX
from regard.app.navigation import FIRST, TITLES
from regard.model.checkpoint import WEIGHTS, Pretrained
from tests.support.attack import tracebacks
from tests.support.model_zips import packed
from tests.support.short_trainings import wait_for, wait_until_gone

SIX = ("a", "b", "broken", "c", "cut", "deleted")
TRANSLATED = 'class="translation"'
SCREENS = ["" if name == FIRST else name for name in TITLES]


@pytest.fixture(scope="module")
def models(tiny_model: Pretrained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six of them, of which one was cut short."""
    folder = tmp_path_factory.mktemp("six models")
    for name in SIX:
        shutil.copytree(tiny_model.folder, folder / name)
    weights = folder / "broken" / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:5000])
    return folder


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def server(models: Path, scratch: Path) -> Iterator[Served]:
    with _serve(models, scratch) as served:
        yield served
        assert tracebacks(served.log) == []


def _serve(models: Path, scratch: Path) -> AbstractContextManager[Served]:
    return serve(environment=[(MODELS_SETTING, str(models)), ("TMPDIR", str(scratch))])


def opened(visitor: WebsocketVisitor, screen: str, query: str = "", widgets: tuple[WidgetState, ...] = ()) -> Page:
    page = visitor.run(screen, query, widgets)
    assert (page.exceptions, page.closed) == ([], False), (screen, query)
    return page


def press(visitor: WebsocketVisitor, screen: str, page: Page, label: str) -> Page:
    """A button of the page that was opened."""
    (button,) = [element.button for element in page.elements if element.button.label == label]
    return opened(visitor, screen, "", (WidgetState(id=button.id, trigger_value=True),))


def bring(visitor: WebsocketVisitor, zipped: bytes) -> Page:
    """Open the screen that takes a model, and give it one."""
    page = opened(visitor, "model_import", "model=a")
    (field,) = [identity for identity, kind in page.widgets().items() if kind == "file_uploader"]
    return opened(visitor, "model_import", "", (visitor.upload(field, "mine.zip", zipped),))


def test_one_broken_model_among_six_is_told_by_name_and_the_others_are_there(server: Served, models: Path) -> None:
    for screen in SCREENS:
        with WebsocketVisitor(server.url) as visitor:
            page = opened(visitor, screen, "model=broken&sentence=A+cat.")
        assert str(models) not in page.words, screen
        if screen in ("", "beam"):
            assert "not a complete safetensors file" in page.words, screen
    with WebsocketVisitor(server.url) as visitor:
        assert TRANSLATED in opened(visitor, "", "model=a&sentence=A+cat.").words


def test_who_is_cut_off_comes_back_to_the_same_visit(server: Served, contents: Mapping[str, bytes]) -> None:
    visitor = WebsocketVisitor(server.url)
    bring(visitor, packed(contents))
    visitor.cut()
    with WebsocketVisitor(server.url, session=visitor.session, cookie=visitor.cookie) as back:
        assert "Open in the stepper" in opened(back, "model_import").words
        assert back.session == visitor.session
    with WebsocketVisitor(server.url, session=back.session) as stranger:  # who has read it in a proxy's log
        assert "Open in the stepper" not in opened(stranger, "model_import").words


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL], ids=["HUP", "TERM", "KILL"])
def test_a_server_that_ends_in_mid_training_leaves_nothing_or_the_next_one_clears_it(
    number: signal.Signals, models: Path, tmp_path: Path
) -> None:
    with _serve(models, tmp_path) as served:
        with WebsocketVisitor(served.url) as visitor:
            page = opened(visitor, "watch", "model=a")
            press(visitor, "watch", page, "Start")
            (left,) = tmp_path.glob(f"{PREFIX}*")
            family = children(served.process)
            os.kill(served.process, number)
            wait_until_gone(served.process)
        for process in family:
            wait_until_gone(process)
        assert tracebacks(served.log) == []
    assert left.exists() == (number == signal.SIGKILL)
    if left.exists():
        with _serve(models, tmp_path):
            wait_for(lambda: not left.exists())


def children(process: int) -> list[int]:
    """Return the children of a process, and their children."""
    found = [
        int(child)
        for task in Path(f"/proc/{process}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
    return found + [each for child in found for each in children(child)]
