"""Scheduler of all visitors' trainings: a queue, a few slots, a process per slot, and an end to everything.

One thread runs it: it starts processes in order of request and ends those whose visitor is gone or whose time is over.
A job's record and folder are removed when its time is over and nobody looks at it any more.
"""

import atexit
import secrets
import shutil
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Condition, Lock, Thread
from time import monotonic

from regard.app.models import temporary
from regard.app.server.room import CORES
from regard.app.server.visits import NOBODY, Visitor, share
from regard.app.training_jobs.job import COMMANDS, ENDING, GOES_ON, Job, JobStatus
from regard.app.training_jobs.worker import Report, end_fork_server, start_fork_server
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup

SLOTS = min(8, max(1, CORES - 1))  # leaves one core for page views; all workers share a third of a gigabyte
LIMIT = 30 * 60.0  # seconds after a job's start
PATIENCE = 120.0  # seconds without a look
GRACE = 10.0  # seconds that a paused job keeps its slot after its last command while others wait
SILENCE = 120.0  # seconds without a message from a starting or training process, after which it counts as stuck
KEPT = 60  # ended jobs that are kept
WAITING = 20  # jobs in the queue
MOST_OF_ONE = 2  # jobs per visit that wait or run
TICK = 0.25  # seconds

FULL = f"{WAITING} trainings are waiting already. Try again in a few minutes."
FULL_OF_ONE = f"You already have {MOST_OF_ONE} trainings waiting or running. Stop one of them first."
FULL_OF_ADDRESS = (
    f"{share(WAITING)} trainings of visitors from your network are waiting already. Try again in a few minutes."
)
NOT_FORKED = (
    "Its process was not started within {:g} seconds, because the one that starts them was stuck. It was ended, and "
    "Go on starts another."
)
STOOD_STILL = "Its process was stuck for {:g} seconds and was ended."
GAVE_WAY = (
    "Another visitor was waiting, so this training was saved and gave up its place. Resume puts it back in the queue."
)


def refusal(jobs: Collection[Job], queue: Sequence[Job], visitor: Visitor) -> str:
    """Return why this visitor can add no more to the queue, or "" if there is room."""
    if len(queue) >= WAITING:
        return FULL
    live = [job.visitor for job in jobs if not job.over]
    if visitor.session and [other.session for other in live].count(visitor.session) >= MOST_OF_ONE:
        return FULL_OF_ONE
    waiting = [job.visitor.address for job in queue]
    return FULL_OF_ADDRESS if visitor.address and waiting.count(visitor.address) >= share(WAITING) else ""


def in_turn(jobs: Collection[Job], queue: Sequence[Job]) -> list[Job]:
    """Return the queue in the order of service: addresses take turns, the one served longest ago, or never, first;
    otherwise first come, first served."""
    served = {job.visitor.address: job.started for job in sorted(jobs, key=lambda job: job.started)}
    before = Counter(job.visitor.address for job in jobs if job.worker)
    turns: dict[int, tuple[int, float]] = {}
    for job in queue:
        turns[id(job)] = before[job.visitor.address], served.get(job.visitor.address, 0.0)
        before[job.visitor.address] += 1
    return sorted(queue, key=lambda job: turns[id(job)])


class Scheduler:
    """The queue and its jobs, thread-safe. `root` is a private folder; no path contains anything a visitor sends."""

    def __init__(
        self, root: Path, slots: int = SLOTS, limit: float = LIMIT, patience: float = PATIENCE, grace: float = GRACE
    ) -> None:
        self.root, self.slots, self.limit, self.patience, self.grace = root, slots, limit, patience, grace
        self.silence = SILENCE
        self._jobs: dict[str, Job] = {}
        self._queue: list[Job] = []
        self._closed = False
        self._changed = Condition()  # its lock guards all of these and every job
        self._tender = Thread(target=self._tend, name="scheduler", daemon=True)
        self._tender.start()

    def submit(self, setups: Sequence[Setup], paused: bool = False, visitor: Visitor = NOBODY) -> str:
        """Add a job and return its name, which nobody can guess. Raises InputError if too many wait or the disk is
        full.
        """
        if not 1 <= len(setups) <= 2:
            raise InputError(f"{len(setups)} trainings were requested at once; the limit is 2.")
        with self._changed:
            if self._closed:
                raise InputError("The server is stopping.")
            refused = refusal(self._jobs.values(), self._queue, visitor)
            if refused:
                raise InputError(refused)
            run = secrets.token_urlsafe()
            folder = self.root / run
            try:
                temporary.make(folder)
            except OSError as error:
                raise InputError(f"No room for a training run: {error.strerror}.") from error
            self._jobs[run] = job = Job(tuple(setups), folder, paused, monotonic(), visitor)
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
            return job.view(order.index(job) + 1 if job in order else 0, self.limit)

    def tell(self, run: str, command: str) -> None:
        """Send a job one of COMMANDS; unknown commands, and those without effect in its state, are ignored."""
        with self._changed:
            job = self._jobs.get(run)
            if job and command in COMMANDS and not self._closed:
                job.looked = monotonic()
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

    def _obey(self, job: Job, command: str) -> None:
        if job.ending:
            job.next = command  # for when its process has ended
        elif job.over:
            self._go_on(job, command)
        elif command != "stop":
            job.hold(command)
        elif job.worker:
            job.end("stopped")
        else:
            self._queue.remove(job)
            job.become("stopped")

    def _go_on(self, job: Job, command: str) -> None:
        """Put an ended job back into the queue."""
        if command == "stop" and job.state == "paused":
            job.become("stopped")
        elif command in ("resume", "step") and job.state in GOES_ON:
            if monotonic() >= job.deadline:
                job.become("out of time", self._time_is_over())
            elif refused := refusal(self._jobs.values(), self._queue, job.visitor):
                job.reason = refused
            else:
                job.become("waiting")
                job.hold(command)
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
                    self._end_if_silent(job, now)
                self._free_slots(now)
                self._fill_slots(now)
                self._forget(now)
                self._changed.wait(self._until_next(now))

    def _end_if_due(self, job: Job, now: float) -> None:
        gone = f"Nobody watched it for {self.patience:g} seconds."
        if job.ending:
            if now >= job.overdue and job.worker:
                job.reason = job.reason or STOOD_STILL.format(ENDING)
                job.worker.kill()
        elif job.worker and now >= job.deadline:
            job.end("out of time", self._time_is_over())
        elif job.worker and now - job.looked >= self.patience:
            job.end("left", gone)
        elif job in self._queue and now - job.looked >= self.patience:
            self._queue.remove(job)
            job.become("left", gone)

    def _end_if_silent(self, job: Job, now: float) -> None:
        """End a process that is stuck; without this it would be waited for until the job's time limit."""
        idle = job.state == "paused" and job.reported >= job.touched
        if not job.worker or job.ending or idle or now - max(job.reported, job.touched) < self.silence:
            return
        if job.worker.process:
            job.kill("killed", STOOD_STILL.format(self.silence))
        else:
            job.kill("failed", NOT_FORKED.format(self.silence))
            end_fork_server()  # its earlier workers end with it, and can be resumed

    def _free_slots(self, now: float) -> None:
        """Take slots from paused jobs while others wait, the longest paused first."""
        at_work = [job for job in self._jobs.values() if job.worker]
        lacking = len(self._queue) - (self.slots - len(at_work)) - sum(bool(job.ending) for job in at_work)
        idle = [job for job in at_work if job.state == "paused" and not job.ending and now - job.touched >= self.grace]
        for job in sorted(idle, key=lambda job: job.touched)[: max(0, lacking)]:
            job.end("paused", GAVE_WAY)

    def _fill_slots(self, now: float) -> None:
        while self._queue and sum(bool(job.worker) for job in self._jobs.values()) < self.slots:
            job = in_turn(self._jobs.values(), self._queue)[0]
            self._queue.remove(job)
            job.deadline = min(job.deadline, now + self.limit)
            job.start(self._receive, self._ended)

    def _forget(self, now: float) -> None:
        """Forget ended jobs whose time is over and that nobody looks at; and if many have ended, the least recently
        seen.
        """
        over = sorted((job.looked, run) for run, job in self._jobs.items() if job.over)
        spare = len(over) - KEPT
        for index, (_, run) in enumerate(over):
            if index < spare or now >= self._forgotten_at(self._jobs[run]):
                shutil.rmtree(self._jobs.pop(run).folder, ignore_errors=True)

    def _forgotten_at(self, job: Job) -> float:
        """Return when an ended job is forgotten; one that never started is kept as long as one that did."""
        return max(min(job.deadline, job.looked + self.limit), job.looked + self.patience)

    def _until_next(self, now: float) -> float | None:
        """Return the seconds until the next check, or None if nothing happens without a request."""
        if not all(job.over for job in self._jobs.values()):
            return TICK
        return min((self._forgotten_at(job) - now for job in self._jobs.values()), default=None)


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
