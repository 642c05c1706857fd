"""The standing attack: a real server, hostile clients; no traceback, no dear answer, no raw HTML, no memory kept.

`make attack` runs a longer one, with a seed that it prints.
"""

import os
import random
import shutil
from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.input_validation.parameters import PARAMETERS
from app.models.registry import SETTING
from app.navigation import FIRST, TITLES
from benchmarks.server import Served, serve
from benchmarks.websocket_visitor import Visitor
from model.checkpoint import Pretrained
from tests.support.attack import Attack, megabytes, tracebacks
from tests.support.hostile_values import COUNT

ROUNDS = int(os.environ.get("REGARD_ATTACK", "1"))
SEED = int(os.environ.get("REGARD_SEED", "7"))
DEAR = 2.5  # processor seconds of one answer: the dearest, a search by gradient, takes half of that
KEPT = 300  # megabytes that all of it may leave behind


@pytest.fixture(scope="module")
def server(tiny_model: Pretrained, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a small model on offer."""
    folder = tmp_path_factory.mktemp("models")
    shutil.copytree(tiny_model.folder, folder / "tiny")
    with serve(environment=[(SETTING, str(folder))]) as served:
        yield served


@pytest.fixture
def attack(server: Served) -> Attack:
    return Attack(server.url, server.process, "tiny", random.Random(SEED))


def test_two_hundred_hostile_values_end_in_no_traceback_on_any_screen(attack: Attack, server: Served) -> None:
    screens = ["" if name == FIRST else name for name in TITLES]
    for screen in screens:
        attack.open(screen)
    before = megabytes(server.process)
    for screen in screens:
        attack.screen(screen, ROUNDS, ROUNDS)
    attack.protocol()
    assert COUNT >= 200
    assert "\n".join([*attack.failed, *tracebacks(server.log)]) == ""
    assert attack.dearest[0][0] < DEAR, attack.dearest
    assert megabytes(server.process) - before < KEPT
    assert attack.tried["fields"] > 50_000
    assert attack.tried["components"] > 15_000


def test_fifty_hostile_files_through_either_field_end_in_no_traceback(
    attack: Attack, server: Served, contents: Mapping[str, bytes]
) -> None:
    attack.open("model_import")
    before = megabytes(server.process)
    attack.zips(contents)
    attack.link_files()
    assert attack.tried["zips"] >= 50 <= attack.tried["attention files"]
    assert "\n".join([*attack.failed, *tracebacks(server.log)]) == ""
    assert attack.dearest[0][0] < DEAR, attack.dearest
    assert megabytes(server.process) - before < KEPT


@settings(max_examples=5 * ROUNDS, derandomize=ROUNDS == 1)
@given(
    st.sampled_from(sorted(TITLES)),
    st.dictionaries(st.sampled_from(sorted({*PARAMETERS} - {"model"})), st.text(max_size=30), min_size=1, max_size=20),
)
def test_any_link_opens_any_screen(server: Served, screen: str, values: dict[str, str]) -> None:
    query = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in values.items()})
    with Visitor(server.url) as visitor:
        page = visitor.run("" if screen == FIRST else screen, f"{query}&model=tiny")
    assert page.exceptions == []
    assert not page.closed
