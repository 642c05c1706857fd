"""Job: one or two trainings requested together, and their process if any, as the server knows them.

waiting      in the queue; `place` says where
starting     has a slot; its process is getting ready
running      trains
paused       paused after an update; has no slot if somebody else was waiting for it
finished     trained to its end
stopped      ended by its visitor
left         ended because its visitor had left
out of time  ended at the time limit; the only end besides `finished` that cannot be resumed
killed       its process was ended from outside
failed       its process gave up; `reason` says why

Nothing here waits. Times are monotonic, in seconds.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from signal import Signals
from time import monotonic
from typing import TypeVar

from regard.app.models import temporary
from regard.app.server.visits import NOBODY, Visitor
from regard.app.training_jobs.worker import NO_PROCESS, Finished, News, Order, Report, Worker, WorkerFailure
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import AttentionSnapshot, Note

COMMANDS = ("pause", "resume", "step", "stop")  # after an end, resume and step continue from the last checkpoint
GOES_ON = ("paused", "stopped", "left", "killed", "failed")  # states that resume and step can leave
NOTES, LOOKS = 400, 80  # kept per training
ENDING = 30.0  # seconds allowed for saving and writing a model

Moment = TypeVar("Moment", Note, AttentionSnapshot)


def extended(moments: Sequence[Moment], latest: Moment, most: int) -> tuple[Moment, ...]:
    """Append the latest and thin out to at most `most`, evenly spaced, keeping the first and the latest. A training
    that resumes from a checkpoint repeats some updates: earlier records of those updates and later ones are dropped."""
    kept = [*(moment for moment in moments if moment.update < latest.update), latest]
    while len(kept) > most:
        gaps = [after.update - before.update for before, after in zip(kept, kept[2:], strict=False)]
        del kept[1 + gaps.index(min(gaps))]  # the record whose loss matters least
    return tuple(kept)


@dataclass(frozen=True)
class RunStatus:
    """One of a job's trainings: its records so far, oldest first, thinned out evenly in long runs."""

    notes: tuple[Note, ...] = ()
    looks: tuple[AttentionSnapshot, ...] = ()
    finished: str = ""  # the reason it finished; "" before
    model: Path | None = None  # a complete model folder, once it has finished or was stopped

    def after(self, news: Note | AttentionSnapshot | Path | Finished) -> "RunStatus":
        """Return the status with a worker's news."""
        match news:
            case Note():
                return replace(self, notes=extended(self.notes, news, NOTES))
            case AttentionSnapshot():
                return replace(self, looks=extended(self.looks, news, LOOKS))
            case Finished(reason):
                return replace(self, finished=reason)
            case _:
                return replace(self, model=news)


@dataclass(frozen=True)
class JobStatus:
    """A job at one moment, for a screen."""

    state: str
    place: int  # position in the queue, from 1; 0 if it has a slot or needs none
    reason: str  # the state's reason in words, or ""
    setups: tuple[Setup, ...]
    runs: tuple[RunStatus, ...]  # one per setup
    seconds_left: float  # until the time limit


@dataclass(eq=False)
class Job:
    """A job; its `state` and `reason` appear in JobStatus. It is over when it has no process and waits for none."""

    setups: tuple[Setup, ...]
    folder: Path
    paused: bool  # stops after each update, or will once it has a process
    looked: float  # the visitor's latest look
    visitor: Visitor = NOBODY
    state: str = "waiting"
    reason: str = ""
    runs: list[RunStatus] = field(init=False)
    worker: Worker | None = None
    deadline: float = math.inf  # end of its time limit; set at its first start
    started: float = 0.0  # its latest start
    touched: float = 0.0  # its latest start or command
    reported: float = 0.0  # the process's start or latest report
    next: str = ""  # a command for its next process
    ending: str = ""  # the state to enter once its process has ended
    overdue: float = math.inf  # when ending has taken too long

    def __post_init__(self) -> None:
        self.runs = [RunStatus() for _ in self.setups]

    @property
    def over(self) -> bool:
        return self.worker is None and self.state != "waiting"

    def view(self, place: int, limit: float) -> JobStatus:
        seconds_left = min(limit, max(0.0, self.deadline - monotonic()))
        return JobStatus(self.state, place, self.reason, self.setups, tuple(self.runs), seconds_left)

    def become(self, state: str, reason: str = "") -> None:
        self.state, self.reason = state, reason

    def start(self, report: Callable[["Job", Report], None], ended: Callable[["Job", int], None]) -> None:
        """Start a process, which resumes from the last checkpoint."""
        done = tuple(number for number, run in enumerate(self.runs) if run.finished)
        order = Order(self.folder.absolute(), self.setups, done, self.paused)
        self.become("starting")
        self.started = self.reported = monotonic()
        try:
            temporary.make(self.folder)
            self.worker = Worker(order, partial(report, self), partial(ended, self))
        except OSError as error:
            self.become("failed", NO_PROCESS.format(error.strerror))
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

    def end(self, state: str, reason: str = "") -> None:
        """Have its process save and end; only a paused job needs no model."""
        self.ending, self.reason, self.overdue = state, reason, monotonic() + ENDING
        if self.worker:
            self.worker.tell("leave" if state == "paused" else "stop")

    def kill(self, state: str, reason: str) -> None:
        """Kill its stuck process, without asking it to save; the job enters this state once it has ended."""
        self.ending, self.reason, self.overdue = state, reason, monotonic()
        if self.worker:
            self.worker.kill()

    def receive(self, report: Report) -> None:
        """Handle a report from the job's process."""
        match report:
            case News(run, news):
                self.runs[run] = self.runs[run].after(news)
            case WorkerFailure(reason):
                self.reason = reason
            case state:
                self.state, self.touched = state, monotonic()
        self.reported = monotonic()

    def ended(self, status: int) -> None:
        """Handle the end of the job's process."""
        late = monotonic() >= self.overdue
        self.worker = None
        if status == 0 and all(run.finished for run in self.runs):
            self.become("finished")
        elif self.ending and (status == 0 or late):
            self.become(self.ending, self.reason)
        elif status < 0:
            self.become("killed", f"Its process was ended from outside ({Signals(-status).name}).")
        else:
            self.become("failed", self.reason or f"Its process ended with status {status}.")
        self.ending, self.overdue = "", math.inf
