"""The translator process: it computes the same numbers, and nobody waits when it ends."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from benchmarks.server import ROOT
from regard.app.models.translator_process import IDLE, PATIENCE, PAUSE, TranslatorProcess, timed
from regard.app.server import replicas
from regard.app.server.room import translator_process_allowed
from regard.model.checkpoint import WEIGHTS, Pretrained, load
from regard.model.tokenizer import Encoding
from tests.support.short_trainings import SECONDS, gone, wait_until_gone

SENTENCES = ["A cat.", "The red dog is sleeping.", "A"]
SERVER = """
import sys, time
from regard.app.models import translator_process
from regard.app.models.translator_process import TranslatorProcess
from regard.model.checkpoint import load

ours = TranslatorProcess(lambda: True)
ours.start(load(sys.argv[1]))
print(ours.process.pid, flush=True)
time.sleep(600)
"""


def encoded(model: Pretrained, sentence: str) -> Encoding:
    return model.tokenizer.encode(sentence, model.tokenizer.languages[0])


def until_ready(ours: TranslatorProcess, model: Pretrained) -> int:
    """Ask until the process answers; return its id."""
    give_up = time.monotonic() + SECONDS
    while not ours.weights:
        assert time.monotonic() < give_up
        ours.translate(model, encoded(model, "A cat."))
        time.sleep(0.05)
    assert ours.process
    return ours.process.pid


def assert_same(one: object, other: object) -> None:
    """Equal to the bit, and as little to be changed."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        assert (one.shape, one.dtype, one.tobytes()) == (other.shape, other.dtype, other.tobytes())
        assert one.flags.writeable == other.flags.writeable
    elif is_dataclass(one):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    else:
        assert one == other


@pytest.fixture
def ours(tiny_model: Pretrained) -> Iterator[TranslatorProcess]:
    opened = TranslatorProcess(lambda: True, patience=1.0)
    opened.start(tiny_model)
    until_ready(opened, tiny_model)
    yield opened
    opened.close()


def test_its_traces_are_the_servers_own_to_the_bit(ours: TranslatorProcess, tiny_model: Pretrained) -> None:
    for sentence in SENTENCES:
        found = ours.translate(tiny_model, encoded(tiny_model, sentence))
        assert_same(timed(tiny_model, encoded(tiny_model, sentence)).trace, found.trace)
        assert 0 < found.seconds < SECONDS


def test_many_who_ask_at_once_each_get_their_own_sentence(ours: TranslatorProcess, tiny_model: Pretrained) -> None:
    def ask(number: int) -> bool:
        source = encoded(tiny_model, f"The cat has {number} mats.")
        return [*ours.translate(tiny_model, source).trace.source_ids[:-1]] == [*source.ids]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(60)))
    assert ours.weights


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["KILL", "STOP"])
def test_when_it_is_killed_or_stuck_the_server_translates_and_starts_another_a_minute_later(
    number: signal.Signals, ours: TranslatorProcess, tiny_model: Pretrained
) -> None:
    first = until_ready(ours, tiny_model)
    os.kill(first, number)
    for sentence in SENTENCES:
        found = ours.translate(tiny_model, encoded(tiny_model, sentence))
        assert_same(timed(tiny_model, encoded(tiny_model, sentence)).trace, found.trace)
    assert gone(first)
    now = time.monotonic()
    ours.clock = lambda: now + PAUSE / 2
    ours.start(tiny_model)
    assert ours.process is None
    ours.clock = lambda: now + PAUSE * 2
    ours.start(tiny_model)
    assert ours.process
    ours.close()


def test_it_starts_when_the_server_has_been_busy_for_three_seconds(tiny_model: Pretrained) -> None:
    now, source = [0.0, False], encoded(tiny_model, "A cat.")
    ours = TranslatorProcess(lambda: bool(now[1]), clock=lambda: now[0])
    for moment, busy in [(0.0, True), (2.9, True), (3.0, False), (7.0, True), (9.9, True), (10.0, True)]:
        now[:] = moment, busy
        assert ours.process is None
        ours.translate(tiny_model, source)
    assert ours.process
    ours.close()


def test_it_does_not_answer_for_a_model_whose_files_have_changed(
    ours: TranslatorProcess, tiny_model: Pretrained, tmp_path: Path
) -> None:
    """Each trace is of the model in the server's memory."""
    folder = shutil.copytree(tiny_model.folder, tmp_path / tiny_model.name)
    weights = bytearray((folder / WEIGHTS).read_bytes())
    weights[-1] ^= 1
    (folder / WEIGHTS).write_bytes(weights)
    another, source = load(folder), encoded(tiny_model, "A cat.")
    for model in (another, tiny_model, another):
        assert_same(timed(model, source).trace, ours.translate(model, source).trace)
        assert ours.weights == tiny_model.fingerprint


def test_it_ends_by_itself_after_a_silence(tiny_model: Pretrained) -> None:
    ours = TranslatorProcess(lambda: True, idle=0.5)
    ours.start(tiny_model)
    assert ours.process
    assert ours.process.wait(SECONDS) == 0
    assert ours.translate(tiny_model, encoded(tiny_model, "A cat.")).trace.target_ids.size
    assert (ours.process, IDLE > PATIENCE) == (None, True)


def test_it_ends_with_a_server_that_is_killed(tiny_model: Pretrained) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tiny_model.folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        process = int(server.stdout.readline())
        server.kill()
    wait_until_gone(process)


def test_a_replica_has_no_translator_process() -> None:
    with replicas.replica(0) as process:
        while not (environment := Path(f"/proc/{process.pid}/environ").read_bytes()):
            assert process.poll() is None
        process.kill()
    assert b"REGARD_TRANSLATOR_PROCESS=no" in environment.split(b"\0")
    assert not translator_process_allowed("no")
