"""Faults of real processes: killed, stopped, without disk or folder; nothing hangs, and what was saved goes on."""

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from benchmarks.server import ROOT
from regard.app.models.temporary import PREFIX
from regard.app.training_jobs.scheduler import RunStatus, Scheduler
from regard.model.checkpoint import WEIGHTS
from regard.model.synthetic.trainer import NOTED
from tests.support.short_trainings import (
    LONG,
    fork_server_process,
    gone,
    last,
    process_of,
    reach,
    until,
    wait_until_gone,
)

UPDATES = 90
PAIR = [replace(LONG, updates=UPDATES), replace(LONG, updates=UPDATES, attention="none", teacher_forcing=0.5, seed=2)]
SERVER = """
import sys, time
from pathlib import Path
from regard.app.training_jobs.scheduler import Scheduler
from tests.support.short_trainings import LONG, fork_server_process, process_of, until, last

scheduler = Scheduler(Path(sys.argv[1]), slots=2)
runs = [scheduler.submit([LONG]), scheduler.submit([LONG])]
for run in runs:
    until(scheduler, run, lambda view: last(view) >= 10)
print(*[process_of(scheduler, run) for run in runs], fork_server_process(), flush=True)
time.sleep(600)
"""


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    opened = Scheduler(tmp_path / "runs", slots=1)
    yield opened
    opened.close()


def test_a_killed_training_is_reported_the_next_begins_and_it_goes_on_as_if_never_killed(scheduler: Scheduler) -> None:
    killed, uninterrupted = scheduler.submit(PAIR), scheduler.submit(PAIR)
    until(scheduler, killed, lambda view: last(view, 1) >= 10)
    scheduler.tell(killed, "pause")  # which saves
    reach(scheduler, killed, "paused")
    until(scheduler, killed, lambda _: len(list(scheduler.root.glob(f"{killed}/*.safetensors"))) == 2)
    scheduler.tell(killed, "resume")
    until(scheduler, killed, lambda view: last(view, 1) >= 40)
    os.kill(process_of(scheduler, killed), signal.SIGKILL)

    view = reach(scheduler, killed, "failed")
    assert view.reason == "Its process was ended from outside (SIGKILL)."
    assert [seen.model for seen in view.runs] == [None, None]
    there = reach(scheduler, uninterrupted, "finished")

    scheduler.tell(killed, "resume")
    back = until(scheduler, killed, lambda view: view.state == "finished" or last(view) < 10)
    assert back.state == "finished", "it began anew"
    for seen, wanted in zip(back.runs, there.runs, strict=True):
        assert due(seen) == due(wanted)
        mine, theirs = seen.looks[-1], wanted.looks[-1]
        assert (mine.update, mine.translations) == (theirs.update, theirs.translations)
        assert all(map(np.array_equal, mine.weights, theirs.weights))
        mine, theirs = load_weights(seen.model), load_weights(wanted.model)
        assert mine.keys() == theirs.keys()
        assert all((mine[name] == theirs[name]).all() for name in theirs)


def test_a_killed_fork_server_takes_its_workers_along_and_the_next_come_of_a_new_one(scheduler: Scheduler) -> None:
    run = scheduler.submit([LONG])
    until(scheduler, run, lambda view: last(view) >= 10)
    process = process_of(scheduler, run)
    os.kill(fork_server_process(), signal.SIGKILL)
    assert reach(scheduler, run, "failed").reason == "Its process was ended from outside (SIGKILL)."
    wait_until_gone(process)
    scheduler.tell(run, "resume")
    reach(scheduler, run, "running")
    assert process_of(scheduler, run) != process


def test_a_training_whose_disk_is_full_says_so_keeps_what_was_saved_and_goes_on(scheduler: Scheduler) -> None:
    run = scheduler.submit([LONG])
    saved = scheduler.root / run / "run-0.safetensors"
    scheduler.tell(run, "pause")
    reach(scheduler, run, "paused")
    until(scheduler, run, lambda _: saved.exists())
    before = saved.read_bytes()
    worker = process_of(scheduler, run)
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (len(before) // 2, len(before) // 2))
    for command in ("resume", "pause"):
        scheduler.tell(run, command)
    view = reach(scheduler, run, "failed")
    assert view.reason == f"What it learned could not be saved: {os.strerror(errno.EFBIG)}."
    assert (saved.read_bytes(), [*saved.parent.iterdir()]) == (before, [saved])
    scheduler.tell(run, "resume")
    reach(scheduler, run, "running")


def test_a_killed_server_leaves_no_process_behind_not_even_one_that_stands_still(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    tmp_path = tmp_path_factory.mktemp("tmp")  # a short name: the path of a socket has a limit
    command = [sys.executable, "-c", SERVER, str(tmp_path / "runs")]
    own = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=own, text=True) as server:
        assert server.stdout is not None
        busy, still, parent = map(int, server.stdout.readline().split())
        os.kill(still, signal.SIGSTOP)
        assert not gone(busy)
        server.kill()
    for process in (busy, still, parent):
        wait_until_gone(process)
    (left,) = [path.name for path in tmp_path.iterdir() if path.name != "runs"]
    assert left.startswith(PREFIX), "the next server that starts removes it"


def due(seen: RunStatus) -> list[tuple[int, float]]:
    """Updates and losses of the notes that do not depend on how fast it goes."""
    found = [(note.update, note.loss) for note in seen.notes if note.update % NOTED == 0]
    assert [update for update, _ in found] == list(range(NOTED, UPDATES + 1, NOTED))
    return found


def load_weights(model: Path | None) -> dict:
    assert model is not None
    return load_file(model / WEIGHTS)
