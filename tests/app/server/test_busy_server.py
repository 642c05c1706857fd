"""A server with many visitors at once translates in a process of its own, which ends with it."""

import asyncio
import os
import re
import signal
import sys
import time
from collections import ChainMap
from collections.abc import Callable
from contextlib import suppress
from html import unescape
from itertools import count
from pathlib import Path

from benchmarks.load_visitor import LoadVisitor
from benchmarks.process_usage import processor_seconds
from benchmarks.server import STREAMLIT, Served, serve
from regard.app.models.translator_process import SETTING
from regard.model.checkpoint import DEFAULT, PRETRAINED
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import translate
from tests.support.attack import tracebacks
from tests.support.event_loop import run_coroutine
from tests.support.short_trainings import SECONDS, wait_until_gone

VISITORS = 6
LOADING = 2.5  # processor seconds; importing PyTorch and reading the weights take 1.5
SOON_BUSY = """
from regard.app.models import translator_process
from regard.app.server import processes
from streamlit.web.cli import main
processes.MOST, translator_process.CORES = 0.05, 2
main()
"""


def translators(server: int) -> list[int]:
    """Return the translator processes of a server."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == server and "translator_process" in (folder / "cmdline").read_text():
                found.append(int(folder.name))
    return found


def served_until(server: Served, enough: Callable[[], bool]) -> None:
    """Have visitors send sentences until it is enough; each must get the model's own translation."""
    numbers, give_up = count(100), time.monotonic() + SECONDS

    async def visit() -> dict[str, str]:
        visitor, answers = LoadVisitor(server.url), {}
        await visitor.arrive()
        while not enough():
            assert time.monotonic() < give_up
            sentence = f"The cat has {next(numbers)} mats."
            answers[sentence] = (await visitor.translate(sentence)).texts
        await visitor.leave()
        return answers

    async def visits() -> dict[str, str]:
        return dict(ChainMap(*await asyncio.gather(*(visit() for _ in range(VISITORS)))))

    answers = run_coroutine(visits())
    for trace in translate(load_any(PRETRAINED / DEFAULT), [*answers]):
        assert trace.text in unescape(re.sub("<[^>]*>", "", answers[trace.alignment.source.text]))


def test_many_visitors_have_a_translator_process_that_ends_with_a_killed_server() -> None:
    command = (sys.executable, "-c", SOON_BUSY, *STREAMLIT[3:])  # whatever cores this machine has, and leaves to it
    with serve(command, environment=[(SETTING, "yes")]) as server:
        served_until(server, lambda: bool(translators(server.process)))
        (process,) = translators(server.process)
        served_until(server, lambda: processor_seconds(process) > LOADING)
        assert tracebacks(server.log) == []
        os.kill(server.process, signal.SIGKILL)
        wait_until_gone(process)
