import os
import socket
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from regard.app.training_jobs.forkserver import _fork_worker
from regard.app.training_jobs.process import Worker
from tests.support.short_trainings import LONG, SECONDS, fork_server_process, gone


class Talk:
    """With a worker that trains, and what it said and came to."""

    def __init__(self, folder: Path) -> None:
        order = {"folder": str(folder), "setups": [LONG.to_json()], "done": [], "paused": False}
        self.said: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self.status: SimpleQueue[int] = SimpleQueue()
        self.worker = Worker(order, self.said.put, self.status.put)

    def wait_for_note(self) -> None:
        while "note" not in self.said.get(timeout=SECONDS):
            pass


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[Talk]]:
    """The younger one last."""
    talks = [Talk(tmp_path), Talk(tmp_path)]
    for talk in talks:
        talk.wait_for_note()
    yield talks
    for talk in talks:
        talk.worker.kill()
        talk.worker.wait()


def test_the_fork_server_has_one_thread_or_a_fork_of_it_could_hang(two: list[Talk]) -> None:
    assert len(two) == 2
    assert len(list(Path(f"/proc/{fork_server_process()}/task").iterdir())) == 1


def test_a_worker_holds_no_end_of_its_siblings_nor_of_the_fork_server(two: list[Talk]) -> None:
    older, younger = (ends(talk.worker.process) for talk in two)
    shared = {str(Path(f"/proc/self/fd/{number}").readlink()) for number in range(3)}  # with whoever runs the tests
    assert not (older & younger) - shared
    assert not {end for end in younger - shared if end.startswith("socket:")}
    assert len((younger & ends(fork_server_process())) - shared) == 1, "a pipe that closes when the worker is no more"


def test_a_worker_ends_when_nobody_talks_to_it_any_more(two: list[Talk]) -> None:
    first, second = two
    silent, silence = os.pipe()
    os.close(silence)
    os.dup2(silent, first.worker._told)  # closes the pipe that it is told by
    os.close(silent)
    assert first.status.get(timeout=SECONDS) == 1
    assert not gone(second.worker.process)


def test_a_worker_that_is_not_forked_yet_can_be_killed(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    talk.worker.kill()
    assert talk.status.get(timeout=SECONDS) == -9
    talk.worker.wait()
    assert gone(talk.worker.process)
    talk.worker.kill()  # once more does nothing


def test_a_machine_that_takes_no_more_processes_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError("no more")

    monkeypatch.setattr(os, "fork", refuse)
    ours, lifeline = socket.socketpair()
    (told, order), (said, says) = os.pipe(), os.pipe()
    _fork_worker([told, says, lifeline.detach()], ours, children := [])
    assert children == []
    with ours, os.fdopen(said, "rb") as words:
        assert words.read() == b""
        assert ours.makefile().read().split() == ["0", "1"]
    os.close(order)


def ends(process: int) -> set[str]:
    """Return the open file descriptors of a process."""
    return {str(path.readlink()) for path in Path(f"/proc/{process}/fd").iterdir()}


def test_a_system_that_cannot_fork_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    with pytest.raises(OSError, match="cannot fork"):
        Talk(tmp_path)
