"""Scheduler of all visitors' trainings: a queue, a few slots, a process per slot, and an end to everything.

A job is one or two trainings requested together. Its states:

waiting      in the queue; `place` says where
starting     has a slot; its process is getting ready
running      trains
paused       paused after an update; has no slot if somebody else was waiting for it
finished     trained to its end
stopped      saved and ended; `reason` says by whom: its visitor, their absence, or the time limit
failed       its process gave up or was ended from outside; `reason` says why

One thread starts processes, for visitors' addresses in turn, and ends those whose visitor is gone or whose time is
over. A job's record and folder are removed when its time is over and nobody looks at it any more. Times are monotonic,
in seconds.
"""

import atexit
import math
import secrets
import shutil
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from signal import Signals
from threading import Condition, Lock, Thread
from time import monotonic
from typing import TypeVar

from regard.app.models import temporary
from regard.app.server.processes import CORES
from regard.app.server.visits import NOBODY, Visitor, share
from regard.app.training_jobs.worker import News, Report, Worker, end_fork_server, start_fork_server
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Note
from regard.model.training.snapshots import Snapshot

SLOTS = min(8, max(1, CORES - 1))  # leaves one core for page views; all workers share a third of a gigabyte
LIMIT = 30 * 60.0  # after a job's start
PATIENCE = 120.0  # without a look
GRACE = 10.0  # that a paused job keeps its slot after its last command while others wait
ENDING = 30.0  # allowed for saving and writing a model
KEPT = 60  # ended jobs that are kept
WAITING = 20  # jobs in the queue
MOST_OF_ONE = 2  # jobs per visit that wait or run
TICK = 0.25
NOTES, LOOKS = 400, 80  # kept per training

COMMANDS = ("pause", "resume", "step", "stop")  # after an end, resume and step continue from the last checkpoint
GOES_ON = ("paused", "stopped", "failed")  # states that resume and step can leave
FULL = f"{WAITING} trainings are waiting already. Try again in a few minutes."
FULL_OF_ONE = f"You already have {MOST_OF_ONE} trainings waiting or running. Stop one of them first."
FULL_OF_ADDRESS = (
    f"{share(WAITING)} trainings of visitors from your network are waiting already. Try again in a few minutes."
)
ON_REQUEST = "Go on continues from there."
STOOD_STILL = "Its process was stuck for {:g} seconds and was ended."
GAVE_WAY = (
    "Another visitor was waiting, so this training was saved and gave up its place. Resume puts it back in the queue."
)


Moment = TypeVar("Moment", Note, Snapshot)


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
    """Training of a job: its records so far, oldest first, thinned out evenly in long runs."""

    notes: tuple[Note, ...] = ()
    looks: tuple[Snapshot, ...] = ()
    finished: str = ""  # the reason it finished; "" before
    model: Path | None = None  # a complete model folder, once it has finished or was stopped

    def after(self, news: Note | Snapshot | Path | str) -> "RunStatus":
        """Return the status with a worker's news."""
        match news:
            case Note():
                return replace(self, notes=extended(self.notes, news, NOTES))
            case Snapshot():
                return replace(self, looks=extended(self.looks, news, LOOKS))
            case Path():
                return replace(self, model=news)
            case _:
                return replace(self, finished=news)


@dataclass(frozen=True)
class JobStatus:
    """A job at one moment, for a screen."""

    state: str
    place: int  # position in the queue, from 1; 0 if it has a slot or needs none
    reason: str  # the state's reason in words, or ""
    setups: tuple[Setup, ...]
    runs: tuple[RunStatus, ...]  # one per setup


@dataclass(eq=False)
class Job:
    """A job as the server knows it. It is over when it has no process and waits for none."""

    setups: tuple[Setup, ...]
    folder: Path
    visitor: Visitor = NOBODY
    next: str = ""  # a command for its next process
    looked: float = field(default_factory=monotonic)  # the visitor's latest look
    state: str = "waiting"
    reason: str = ""
    runs: list[RunStatus] = field(init=False)
    worker: Worker | None = None
    deadline: float = math.inf  # end of its time limit; set at its first start
    started: float = 0.0  # its latest start
    touched: float = 0.0  # its latest change of state or command
    ending: str = ""  # the state to enter once its process has ended
    overdue: float = math.inf  # when ending has taken too long

    def __post_init__(self) -> None:
        self.runs = [RunStatus() for _ in self.setups]

    @property
    def over(self) -> bool:
        return self.worker is None and self.state != "waiting"

    def become(self, state: str, reason: str = "") -> None:
        self.state, self.reason, self.touched = state, reason, monotonic()

    def end(self, state: str, reason: str = "") -> None:
        """Have its process save and end; only a paused job needs no model."""
        self.ending, self.reason, self.overdue = state, reason, monotonic() + ENDING
        if self.worker:
            self.worker.tell("leave" if state == "paused" else "stop")

    def receive(self, report: Report) -> None:
        """Handle a report from the job's process."""
        match report:
            case News(run, news):
                self.runs[run] = self.runs[run].after(news)
            case InputError():
                self.reason = str(report)
            case str():
                self.state, self.touched = report, monotonic()

    def ended(self, status: int) -> None:
        """Handle the end of the job's process."""
        late = monotonic() >= self.overdue
        self.worker = None
        if status == 0 and all(run.finished for run in self.runs):
            self.become("finished")
        elif self.ending and (status == 0 or late):
            self.become(self.ending, self.reason)
        elif status < 0:
            self.become("failed", f"Its process was ended from outside ({Signals(-status).name}).")
        else:
            self.become("failed", self.reason or f"Its process ended with status {status}.")
        self.ending, self.overdue = "", math.inf


def in_turn(jobs: Collection[Job], queue: Sequence[Job]) -> list[Job]:
    """Return the queue in the order of service: addresses take turns, the one served longest ago, or never, first."""
    served = {job.visitor.address: job.started for job in sorted(jobs, key=lambda job: job.started)}
    rounds = Counter[str]()
    turns: dict[Job, tuple[int, float]] = {}
    for job in queue:
        turns[job] = rounds[job.visitor.address], served.get(job.visitor.address, 0.0)
        rounds[job.visitor.address] += 1
    return sorted(queue, key=turns.__getitem__)


class Scheduler:
    """The queue and its jobs, thread-safe. `root` is a private folder; no path contains anything a visitor sends."""

    def __init__(
        self, root: Path, slots: int = SLOTS, limit: float = LIMIT, patience: float = PATIENCE, grace: float = GRACE
    ) -> None:
        self.root, self.slots, self.limit, self.patience, self.grace = root, slots, limit, patience, grace
        self._jobs: dict[str, Job] = {}
        self._queue: list[Job] = []
        self._closed = False
        self._changed = Condition()  # its lock guards all of these and every job
        self._tender = Thread(target=self._tend, name="scheduler", daemon=True)
        self._tender.start()

    def submit(self, setups: Sequence[Setup], paused: bool = False, visitor: Visitor = NOBODY) -> str:
        """Add a job and return its name, which nobody can guess. Raises InputError if too many wait or the disk is
        full."""
        with self._changed:
            if self._closed:
                raise InputError("The server is stopping.")
            if refused := self._refusal(visitor):
                raise InputError(refused)
            run = secrets.token_urlsafe()
            try:
                temporary.make(self.root / run)
            except OSError as error:
                raise InputError(f"No room for a training run: {error.strerror}.") from error
            self._jobs[run] = job = Job(tuple(setups), self.root / run, visitor, "pause" if paused else "")
            self._queue.append(job)
            self._changed.notify_all()
            return run

    def look(self, run: str) -> JobStatus | None:
        """Return a job's status, or None if unknown; this also counts as its visitor's presence."""
        with self._changed:
            job = self._jobs.get(run)
            if not job:
                return None
            job.looked = monotonic()
            order = in_turn(self._jobs.values(), self._queue)
            place = order.index(job) + 1 if job in order else 0
            return JobStatus(job.state, place, job.reason, job.setups, tuple(job.runs))

    def tell(self, run: str, command: str) -> None:
        """Send a job one of COMMANDS; those without effect in its state are ignored."""
        with self._changed:
            job = self._jobs.get(run)
            if job and command in COMMANDS and not self._closed:
                job.looked = job.touched = monotonic()
                self._obey(job, command)
                self._changed.notify_all()

    def close(self) -> None:
        """End every process and wait for it. Nothing can be started afterwards."""
        with self._changed:
            self._closed = True
            workers = [job.worker for job in self._jobs.values() if job.worker]
            self._changed.notify_all()
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.wait()
        self._tender.join()

    def _refusal(self, visitor: Visitor) -> str:
        """Return why this visitor can add no more to the queue, or "" if there is room."""
        if len(self._queue) >= WAITING:
            return FULL
        live = [job.visitor.session for job in self._jobs.values() if not job.over]
        if visitor.session and live.count(visitor.session) >= MOST_OF_ONE:
            return FULL_OF_ONE
        waiting = [job.visitor.address for job in self._queue]
        return FULL_OF_ADDRESS if visitor.address and waiting.count(visitor.address) >= share(WAITING) else ""

    def _obey(self, job: Job, command: str) -> None:
        if job.ending:
            job.next = command  # for when its process has ended
        elif job.over:
            self._go_on(job, command)
        elif command == "stop" and job.worker:
            job.end("stopped", ON_REQUEST)
        elif command == "stop":
            self._queue.remove(job)
            job.become("stopped", ON_REQUEST)
        elif job.worker:
            job.worker.tell(command)
        else:
            job.next = command

    def _go_on(self, job: Job, command: str) -> None:
        """Put an ended job back into the queue."""
        if command == "stop" and job.state == "paused":
            job.become("stopped", ON_REQUEST)
        elif command in ("resume", "step") and job.state in GOES_ON:
            if monotonic() >= job.deadline:
                job.reason = self._time_is_over()
            elif refused := self._refusal(job.visitor):
                job.reason = refused
            else:
                job.become("waiting")
                job.next = command
                self._queue.append(job)

    def _time_is_over(self) -> str:
        return f"Every training has {self.limit / 60:g} minutes."

    def _receive(self, job: Job, report: Report) -> None:
        with self._changed:
            job.receive(report)

    def _ended(self, job: Job, status: int) -> None:
        with self._changed:
            job.ended(status)
            command, job.next = job.next, ""
            if command and not self._closed:
                self._obey(job, command)
            self._changed.notify_all()

    def _tend(self) -> None:
        with self._changed:
            while not self._closed:
                now = monotonic()
                for job in self._jobs.values():
                    self._end_if_due(job, now)
                self._free_slots(now)
                while self._queue and sum(bool(job.worker) for job in self._jobs.values()) < self.slots:
                    self._start(in_turn(self._jobs.values(), self._queue)[0])
                self._forget(now)
                self._changed.wait(TICK if self._jobs else None)

    def _start(self, job: Job) -> None:
        """Start a job's process, which resumes from the last checkpoint."""
        setups = {run: setup for run, setup in enumerate(job.setups) if not job.runs[run].finished}
        self._queue.remove(job)
        job.become("starting")
        job.started = monotonic()
        job.deadline = min(job.deadline, job.started + self.limit)
        hears = partial(self._receive, job), partial(self._ended, job)
        job.worker = Worker(job.folder.absolute(), setups, *hears, job.next)
        job.next = ""

    def _end_if_due(self, job: Job, now: float) -> None:
        gone = f"Nobody watched it for {self.patience:g} seconds. {ON_REQUEST}"
        if job.ending:
            if now >= job.overdue and job.worker:
                job.reason = job.reason or STOOD_STILL.format(ENDING)
                job.worker.kill()
        elif job.worker and now >= job.deadline:
            job.end("stopped", self._time_is_over())
        elif job.worker and now - job.looked >= self.patience:
            job.end("stopped", gone)
        elif job in self._queue and now - job.looked >= self.patience:
            self._queue.remove(job)
            job.become("stopped", gone)

    def _free_slots(self, now: float) -> None:
        """Take slots from paused jobs while others wait, the longest paused first."""
        at_work = [job for job in self._jobs.values() if job.worker]
        lacking = len(self._queue) - (self.slots - len(at_work)) - sum(bool(job.ending) for job in at_work)
        idle = [job for job in at_work if job.state == "paused" and not job.ending and now - job.touched >= self.grace]
        for job in sorted(idle, key=lambda job: job.touched)[: max(0, lacking)]:
            job.end("paused", GAVE_WAY)

    def _forget(self, now: float) -> None:
        """Forget ended jobs whose time is over and that nobody looks at; and if many have ended, the least recently
        seen. One that never started is kept as long as one that did."""
        over = sorted((job.looked, run) for run, job in self._jobs.items() if job.over)
        for index, (looked, run) in enumerate(over):
            until = max(min(self._jobs[run].deadline, looked + self.limit), looked + self.patience)
            if index < len(over) - KEPT or now >= until:
                shutil.rmtree(self._jobs.pop(run).folder, ignore_errors=True)


_lock = Lock()
_open: list[Scheduler] = []


def shared_scheduler() -> Scheduler:
    """Return the server's only scheduler. Its fork server gets ready in the meantime."""
    with _lock:
        if not _open:
            _open.append(Scheduler(temporary.root() / "runs"))
            atexit.register(close_scheduler)  # runs before `temporary` removes the folders
            with suppress(OSError):  # a training that is started will say so
                start_fork_server()
        return _open[0]


def close_scheduler() -> None:
    """Close the scheduler if there is one, and end the fork server."""
    with _lock:
        while _open:
            end_fork_server()  # first, or a worker that is not forked yet would be waited for
            _open.pop().close()
