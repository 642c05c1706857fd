"""The standing attack: a real server, hostile clients; no traceback, no dear answer, no raw HTML, no memory kept. A
value that no page sends may break the page of the one who sent it: a plain message there, one line in the log.

`make attack` runs a longer one, with a seed that it prints.
"""

import os
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmarks.bombs import bombs, detonate
from benchmarks.process_usage import resident_megabytes
from benchmarks.server import ROOT, Served, serve
from regard.app.models.settings import MODELS_SETTING
from regard.app.navigation import FIRST, TITLES
from regard.model.tokenizer import Tokenizer
from tests.support.attack import Attack, tracebacks
from tests.support.hostile_values import COUNT
from tests.support.small_translator import write_translator

ROUNDS = int(os.environ.get("REGARD_ATTACK", "1"))
SEED = int(os.environ.get("REGARD_SEED", "7"))
DEAR = 6.0  # processor seconds of one answer: the dearest takes about 1, and 2 to 3 times that on a busy machine
ARRIVE = 0.95  # of what is sent has to come to the code that it is about
KEPT = 300  # megabytes that all of it may leave behind
SECONDS, RISE = 2.0, 150  # of the processor, and megabytes, of a bomb; each once took up to 22, or a gigabyte


@pytest.fixture(scope="module")
def server(tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a small model on offer."""
    folder = tmp_path_factory.mktemp("models")
    write_translator(folder / "tiny", tokenizer)
    with serve(environment=[(MODELS_SETTING, str(folder))]) as served:
        yield served


def test_two_hundred_hostile_values_end_in_no_traceback_on_any_screen(server: Served) -> None:
    screens, places = ["" if name == FIRST else name for name in TITLES], (str(ROOT), f"{tempfile.gettempdir()}/")
    with Attack(server.url, server.process, "tiny", random.Random(SEED), places) as attack:
        for screen in screens:
            attack.open(screen)
        before = resident_megabytes(server.process)
        for screen in screens:
            attack.screen(screen, ROUNDS)
    assert COUNT >= 200
    assert "\n".join([*attack.failed, *tracebacks(server.log)]) == ""
    assert attack.dearest[0] < DEAR, attack.dearest
    assert resident_megabytes(server.process) - before < KEPT
    assert 0 < attack.broken.total() == server.log.read_text(encoding="utf-8").count("Uncaught app execution")
    told = {kind: f"{attack.reached[kind]:,} of {tried:,}" for kind, tried in attack.tried.items()}
    print(told, attack.broken)
    assert all(attack.reached[kind] >= ARRIVE * tried for kind, tried in attack.tried.items()), told


def test_no_bomb_takes_two_seconds_of_the_processor_or_much_memory(server: Served) -> None:
    for name, bomb in bombs().items():
        blast = detonate(server, replace(bomb, opened_with={**bomb.opened_with, "model": "tiny"}))
        assert blast.processor < SECONDS, name
        assert blast.megabytes < RISE, name
    assert tracebacks(server.log) == []
