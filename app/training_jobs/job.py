"""Job: one or two trainings requested together, and their process if any, as the server knows them.

Nothing here waits. Times are monotonic, in seconds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals
from time import monotonic
from typing import Any

from regard.app.models import temporary
from regard.app.server.visitor import NOBODY, Visitor
from regard.app.training_jobs.history import recorded
from regard.app.training_jobs.process import Worker
from regard.app.training_jobs.status import JobStatus, RunStatus
from regard.model.synthetic.setup import Setup

ENDING = 30.0  # seconds allowed for saving and writing a model
UNSAVED = "No process could be started, or no file written: {}."


@dataclass(eq=False)
class Job:
    """A job; its `state` and `told` appear in JobStatus. It is over when it has no process and waits for none."""

    setups: tuple[Setup, ...]
    folder: Path
    paused: bool  # stops after each update, or will once it has a process
    looked: float  # the visitor's latest look
    visitor: Visitor = NOBODY
    state: str = "waiting"
    told: str = ""
    seen: list[RunStatus] = field(init=False)
    worker: Worker | None = None
    deadline: float = math.inf  # end of its time limit; set at its first start
    touched: float = 0.0  # its latest start or command
    heard: float = 0.0  # the process's start or latest message
    next: str = ""  # a command for its next process
    ending: str = ""  # the state to enter once its process has ended
    overdue: float = math.inf  # when ending has taken too long

    def __post_init__(self) -> None:
        self.seen = [RunStatus() for _ in self.setups]

    @property
    def over(self) -> bool:
        return self.worker is None and self.state != "waiting"

    def view(self, place: int, limit: float) -> JobStatus:
        seconds_left = min(limit, max(0.0, self.deadline - monotonic()))
        return JobStatus(self.state, place, self.told, self.setups, tuple(self.seen), seconds_left)

    def become(self, state: str, told: str = "") -> None:
        self.state, self.told = state, told

    def start(self, heard: Callable[[dict[str, Any]], None], ended: Callable[[int], None]) -> None:
        """Start a process, which resumes from the last checkpoint."""
        order = {
            "folder": str(self.folder.absolute()),
            "setups": [setup.to_json() for setup in self.setups],
            "done": [run for run, seen in enumerate(self.seen) if seen.finished],
            "paused": self.paused,
        }
        self.become("starting")
        self.heard = monotonic()
        try:
            temporary.make(self.folder)
            self.worker = Worker(order, heard, ended)
        except OSError as error:
            self.become("failed", UNSAVED.format(error.strerror))
        else:
            if self.next:
                self.worker.tell(self.next)
        self.next = ""

    def hold(self, command: str) -> None:
        """Pause, resume or step: now if it has a process, otherwise once it gets one."""
        self.paused = command != "resume"
        self.touched = monotonic()
        if self.worker:
            self.worker.tell(command)
        else:
            self.next = command

    def end(self, state: str, told: str = "") -> None:
        """Have its process save and end; only a paused job needs no model."""
        self.ending, self.told, self.overdue = state, told, monotonic() + ENDING
        if self.worker:
            self.worker.tell("leave" if state == "paused" else "stop")

    def give_up(self, state: str, told: str) -> None:
        """Stop waiting for a silent process: without asking it to save, enter this state once it has ended."""
        self.ending, self.told, self.overdue = state, told, monotonic()

    def hear(self, said: dict[str, Any]) -> None:
        """Handle a message from the job's process."""
        if "state" in said:
            self.state, self.touched = said["state"], monotonic()
        elif "failed" in said:
            self.told = said["failed"]
        else:
            self.seen[said["run"]] = recorded(self.seen[said["run"]], said, self.folder)
        self.heard = monotonic()

    def ended(self, status: int) -> None:
        """Handle the end of the job's process."""
        late = monotonic() >= self.overdue
        self.worker = None
        if status == 0 and all(seen.finished for seen in self.seen):
            self.become("finished")
        elif self.ending and (status == 0 or late):
            self.become(self.ending, self.told)
        elif status < 0:
            self.become("killed", f"Its process was ended from outside ({Signals(-status).name}).")
        else:
            self.become("failed", self.told or f"Its process ended with status {status}.")
        self.ending, self.overdue = "", math.inf
