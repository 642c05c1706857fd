"""The translator process: it computes the same numbers, and nobody waits when it ends."""

import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from regard.app.models import traces
from regard.app.models.translator_process import TranslatorProcess, timed
from regard.model.checkpoint import DEFAULT, WEIGHTS, Pretrained, load
from regard.model.tokenizer import Encoding
from tests.support.short_trainings import SECONDS, gone, wait_for

SENTENCES = ["A cat.", "The red dog is sleeping.", "A"]


def encoded(model: Pretrained, sentence: str) -> Encoding:
    return model.tokenizer.encode(sentence, model.tokenizer.languages[0])


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
    """One that is ready."""
    opened = TranslatorProcess(lambda: True, patience=1.0)
    opened.start(tiny_model)
    wait_for(lambda: opened.translate(tiny_model, encoded(tiny_model, "A cat.")) and opened.weights)
    yield opened
    opened.close()


def test_its_traces_are_the_servers_own_to_the_bit(ours: TranslatorProcess, tiny_model: Pretrained) -> None:
    for sentence in SENTENCES:
        trace, seconds = ours.translate(tiny_model, encoded(tiny_model, sentence))
        assert_same(timed(tiny_model, encoded(tiny_model, sentence))[0], trace)
        assert 0 < seconds < SECONDS
    assert ours.weights


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["KILL", "STOP"])
def test_when_it_is_killed_or_stuck_the_server_translates(
    number: signal.Signals, ours: TranslatorProcess, tiny_model: Pretrained
) -> None:
    assert ours.process
    first = ours.process.pid
    os.kill(first, number)
    found, _ = ours.translate(tiny_model, encoded(tiny_model, "A cat."))
    assert_same(timed(tiny_model, encoded(tiny_model, "A cat."))[0], found)
    assert gone(first)


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
    folder = shutil.copytree(tiny_model.folder, tmp_path / tiny_model.name)
    weights = bytearray((folder / WEIGHTS).read_bytes())
    weights[-1] ^= 1
    (folder / WEIGHTS).write_bytes(weights)
    another, source = load(folder), encoded(tiny_model, "A cat.")
    for model in (another, tiny_model, another):
        assert_same(timed(model, source)[0], ours.translate(model, source)[0])
        assert ours.weights == tiny_model.fingerprint


def test_it_ends_with_its_server(ours: TranslatorProcess) -> None:
    assert ours.process
    assert ours._connection
    ours._connection.close()
    assert ours.process.wait(timeout=SECONDS) == 0


def test_the_models_of_others_are_translated_by_the_server_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        traces.translator_process, "translate", lambda model, source: asked.append(model.name) or timed(model, source)
    )
    for name in (DEFAULT, "reverse-gru"):
        traces.any_timed(name, "3 1 4 1 5 9 2 6")
    assert asked == [DEFAULT]
