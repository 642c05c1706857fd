"""Trainings so small that a process of their own starts slower than it trains, and how to wait for them."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from regard.app.training_jobs.scheduler import JobStatus, Scheduler
from regard.app.training_jobs.worker import FORK_SERVER
from regard.model.synthetic.setup import Setup

SHORT = Setup(longest=3, hidden=8, batch=8, updates=20)
LONG = Setup(longest=3, hidden=8, batch=8, updates=20000)
SECONDS = 120.0  # a loaded machine is no failure


def wait_for(holds: Callable[[], object], what: str = "it") -> None:
    give_up = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < give_up, f"in vain for {SECONDS:g} seconds: {what}"
        time.sleep(0.02)


def look(scheduler: Scheduler, run: str) -> JobStatus:
    view = scheduler.look(run)
    assert view, "the job is gone"
    return view


def until(scheduler: Scheduler, run: str, holds: Callable[[JobStatus], object]) -> JobStatus:
    """Look until it holds of what is seen, as a visitor's page does."""
    give_up = time.monotonic() + SECONDS
    while not holds(view := look(scheduler, run)):
        assert time.monotonic() < give_up, f"in vain for {SECONDS:g} seconds: {view}"
        time.sleep(0.02)
    return view


def reach(scheduler: Scheduler, run: str, state: str) -> JobStatus:
    return until(scheduler, run, lambda view: view.state == state)


def updates(view: JobStatus, training: int = 0) -> list[int]:
    return [note.update for note in view.runs[training].notes]


def looked_at(view: JobStatus, training: int = 0) -> list[int]:
    return [look.update for look in view.runs[training].looks]


def last(view: JobStatus, training: int = 0) -> int:
    """The last update that was noted, 0 before any."""
    return max(updates(view, training), default=0)


def process_of(scheduler: Scheduler, run: str) -> int:
    """Return the process of a job that has one, or will once it is forked."""
    worker = scheduler._jobs[run].worker
    assert worker, "the job has no process"
    wait_for(lambda: worker.process.pid, "it is not forked")
    return worker.process.pid or 0


def fork_server_process() -> int:
    process = FORK_SERVER._forkserver_pid
    assert process, "no worker was asked for"
    return process


def gone(process: int) -> bool:
    """True if the process has ended, even if its parent has not noticed yet."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return True
    return state == "Z"


def wait_until_gone(process: int) -> None:
    wait_for(lambda: gone(process), f"process {process} lives on")
