"""A server with many visitors at once translates in a second process, which ends with it."""

import os
import re
import signal
import time
from collections import ChainMap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

import pytest

from benchmarks.process_usage import processor_seconds
from benchmarks.server import Served, serve
from benchmarks.websocket_visitor import WebsocketVisitor
from regard.app.server.room import CORES, SETTING
from regard.model.checkpoint import DEFAULT, PRETRAINED
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import translate
from tests.support.attack import tracebacks
from tests.support.short_trainings import SECONDS, wait_until_gone

VISITORS = 6
LOADING = 2.5  # processor seconds; importing PyTorch and reading the weights take 1.5


def translators(server: int) -> list[int]:
    """Return the translator processes of a server."""
    tasks = Path(f"/proc/{server}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [child for child in children if "translator_process" in Path(f"/proc/{child}/cmdline").read_text()]


def served_until(server: Served, enough: Callable[[], bool]) -> None:
    """Have visitors send sentences at once, until it is enough; each must get the model's own translation."""
    sentences, give_up = count(100), time.monotonic() + SECONDS

    def visit(_: int) -> dict[str, str]:
        answers = {}
        while not enough():
            assert time.monotonic() < give_up
            sentence = f"The cat has {next(sentences)} mats."
            with WebsocketVisitor(server.url) as visitor:
                page = visitor.run("", urlencode({"sentence": sentence}))
            answers[sentence] = re.sub("<[^>]*>", "", " ".join(element.html.body for element in page.elements))
        return answers

    with ThreadPoolExecutor(VISITORS) as pool:
        answers = dict(ChainMap(*pool.map(visit, range(VISITORS))))
    model = load_any(PRETRAINED / DEFAULT)
    for trace in translate(model, [*answers]):
        assert trace.text in unescape(answers[trace.alignment.source.text])


@pytest.mark.skipif(CORES < 2, reason="a server of one core has no second process")
def test_many_visitors_have_a_second_process_that_ends_with_the_server() -> None:
    with serve(environment=[(SETTING, "yes")]) as server:
        served_until(server, lambda: bool(translators(server.process)))
        (process,) = translators(server.process)
        served_until(server, lambda: processor_seconds(process) > LOADING)
        assert tracebacks(server.log) == []
        os.kill(server.process, signal.SIGTERM)
        wait_until_gone(process)
