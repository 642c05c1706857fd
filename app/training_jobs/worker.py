"""Worker: a process that trains for a visitor, and the server's end of it.

The standard library's fork server imports PyTorch once. Each worker is a fork of it, so that it trains within a
fraction of a second. Commands go to it through one pipe, reports come back through another. It ends with its server:
when no more commands can come, and on Linux as soon as the fork server has ended.
"""

import errno
import os
import pickle
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe, current_process, forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, Protocol

from regard.app.models import temporary
from regard.app.server.processes import end_with
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import AttentionSnapshot, Note, Practice, SyntheticProgress

FORK_SERVER: Any = forkserver._forkserver  # the server's only one; some of what is needed of it has no public name
SERVER: Any = current_process()
NICE = 10
SAVED = 5.0  # seconds between checkpoints: at most this much is lost
SILENT = 1.0  # seconds after which a training reports its progress, even if no note is due
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",  # a process of one thread can be forked
    "TORCHINDUCTOR_CACHE_DIR": tempfile.gettempdir(),  # PyTorch would leave an empty folder of its own there
}
WIDEST = 300  # characters of a reason
NO_PROCESS = "No process could be started, or no file written: {}."


class Finished(NamedTuple):
    """The news that a training has ended by itself, and why."""

    reason: str


class WorkerFailure(NamedTuple):
    """The report of a worker that gives up; `reason` is for the visitor."""

    reason: str


class News(NamedTuple):
    """The report about one training: a note, a snapshot, its model's folder, its end."""

    run: int
    news: Note | AttentionSnapshot | Path | Finished


Report = str | News | WorkerFailure  # a string is the job's new state


def start_fork_server() -> None:
    """Start the process that workers are forked from, unless it runs; it has PyTorch loaded some seconds later. Raises
    OSError if it cannot start."""
    if not hasattr(os, "fork"):
        raise OSError(errno.ENOSYS, "this system cannot fork; `regard practise` trains there too")
    os.environ.update(ENVIRONMENT)
    temporary.make(temporary.root())
    SERVER._config["tempdir"] = str(temporary.root())  # for its socket: a server that is killed leaves no other folder
    forkserver.set_forkserver_preload(["torch._dynamo", __name__])  # a process's first optimizer needs the former
    forkserver.ensure_running()


def end_fork_server() -> None:
    """Kill the fork server, even if it is stuck; on Linux its workers end too. The next worker starts another."""
    if process := FORK_SERVER._forkserver_pid:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        with suppress(FileNotFoundError):  # its socket was deleted
            FORK_SERVER._stop()


def _fork(ends: list[int]) -> tuple[int, int]:
    """Fork a worker that has these ends of pipes. Return the ends of two others: from one its process id and then its
    exit status can be read, the other takes its order. Raises OSError if it cannot be forked."""
    start_fork_server()
    try:
        return forkserver.connect_to_new_process(ends)
    except OSError:  # the fork server was just killed, or its socket deleted
        end_fork_server()
        start_fork_server()
        return forkserver.connect_to_new_process(ends)


@dataclass(frozen=True)
class Order:
    """The trainings of a worker: `done` names those that have finished, the others continue from checkpoints in the
    folder. It reaches the new process through a pipe, because the folder's name is a secret."""

    folder: Path
    setups: tuple[Setup, ...]
    done: tuple[int, ...]
    paused: bool

    def _bootstrap(self, _parent: int) -> int:
        """Train in a process that was just forked, and return its exit status; called by the fork server."""
        os.close(FORK_SERVER._forkserver_alive_fd)  # held open, it would keep the fork server alive
        end_with(os.getppid())
        os.setsid()  # Ctrl-C in the terminal is meant for the server alone
        os.nice(NICE)
        os.umask(0o077)  # a deleted folder is recreated, and nobody else may read it
        commands, reports = FORK_SERVER.get_inherited_fds()
        return work(self, Connection(commands, writable=False), Connection(reports, readable=False).send)


class Worker:
    """A worker's handle. `report` receives its reports, `ended` its exit status, after which nothing may be sent; both
    are called from a thread of the worker's own here."""

    def __init__(self, order: Order, report: Callable[[Report], None], ended: Callable[[int], None]) -> None:
        self.process = 0  # its process id, once it is forked
        self._order, self._report, self._ended = order, report, ended
        self._killed = False
        self._received, self._commands = Pipe(duplex=False)
        os.set_blocking(self._commands.fileno(), False)
        self._thread = Thread(target=self._live, name="worker", daemon=True)
        self._thread.start()

    def tell(self, command: str) -> None:
        """Send a command without ever waiting: if the worker is dead or stuck, it is lost."""
        with suppress(OSError):
            self._commands.send(command)

    def kill(self) -> None:
        """Kill the worker, even before it is forked."""
        self._killed = True
        if self.process:
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)

    def wait(self) -> None:
        """Wait until it has ended and all its reports were handled."""
        self._thread.join()

    def _live(self) -> None:
        status = 1
        try:
            status = self._run()
        except OSError as error:
            self._report(WorkerFailure(NO_PROCESS.format(error.strerror)))
        finally:
            self._commands.close()
            self._ended(status)

    def _run(self) -> int:
        """Fork the process, pass its reports on, and return its exit status. Raises OSError if it cannot be forked."""
        reports, reported = Pipe(duplex=False)
        with reports:
            with self._received, reported:
                status, entry = _fork([self._received.fileno(), reported.fileno()])
            with os.fdopen(status, "rb"), os.fdopen(entry, "wb") as file:
                pickle.dump({}, file)  # where `multiprocessing.Process` names a main module, which would run again
                pickle.dump(self._order, file)
                file.flush()
                try:
                    self.process = forkserver.read_signed(status)
                    if self._killed:
                        self.kill()
                    with suppress(EOFError, OSError):  # it has ended, perhaps in the middle of a report
                        while True:
                            self._report(reports.recv())
                    return forkserver.read_signed(status)
                except EOFError:
                    return -signal.SIGKILL  # the fork server was killed


class Commands(Protocol):
    """The receiving end of a pipe, as in `multiprocessing`."""

    def poll(self) -> bool: ...

    def recv(self) -> Any: ...


def work(order: Order, commands: Commands, report: Callable[[Report], None]) -> int:
    """Train and return the exit status."""
    try:
        TrainingLoop(order, commands, report).run()
    except (EOFError, BrokenPipeError):
        return 1  # the server has ended
    except Exception as error:
        reason = _reason(error, order.folder)
        expected = isinstance(error, OSError | InputError)
        logged = f"a training ended: {reason}\n" if expected else traceback.format_exc()
        sys.stderr.write(logged.replace(str(order.folder), "FOLDER"))  # the log must not contain its name
        report(WorkerFailure(reason))
        return 1
    return 0


def _reason(error: Exception, folder: Path) -> str:
    """Return the reason for the visitor, without the server's paths."""
    if isinstance(error, OSError):
        return f"What it learned could not be saved: {error.strerror}."
    message = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    return " ".join(message.replace(f"{folder}/", "").split())[:WIDEST]


class Turn(NamedTuple):
    """A training that has not finished, and its updates to come."""

    run: int
    practice: Practice
    updates: Iterator[SyntheticProgress]


class TrainingLoop:
    """One training, or two that take turns, with commands between updates. A command is any of `job.COMMANDS`, or
    "leave": stop, but write no model."""

    def __init__(self, order: Order, commands: Commands, report: Callable[[Report], None]) -> None:
        self.folder, self._commands, self._report = order.folder, commands, report
        self.paused = order.paused
        self.turns: list[Turn] = []
        self._unreported: dict[int, Note] = {}  # of a training's last update
        for run, setup in enumerate(order.setups):
            if run not in order.done:
                practice = Practice(setup)
                if self._checkpoint(run).exists():
                    practice.restore(self._checkpoint(run))
                self.turns.append(Turn(run, practice, practice.run()))
        self._reported = self._saved = monotonic()

    def run(self) -> None:
        """Train until all have finished or a command ends it; unfinished trainings are then saved."""
        self._pause(self.paused)
        while self.turns:
            command = self._next_command()
            if command in ("stop", "leave"):
                self._save()
                for turn in self.turns if command == "stop" else ():
                    self._write_model(turn)
                return
            self._update()
            if monotonic() - self._saved > SAVED:
                self._save()

    def _next_command(self) -> str:
        """Return a command to end, or another after which an update is due; waits while paused."""
        while True:
            if not self._commands.poll():
                if not self.paused:
                    return ""
                self._save()
            command = self._commands.recv()
            if command in ("pause", "stop"):
                self._report_now()
            if command in ("stop", "leave"):
                return command
            self._pause(command != "resume")
            if command == "step":
                return command

    def _pause(self, paused: bool) -> None:
        self.paused = paused
        self._report("paused" if paused else "running")

    def _update(self) -> None:
        """Make one update of each training, or of the one that is behind because its checkpoint was older."""
        behind = min(turn.practice.update for turn in self.turns)
        silent = monotonic() - self._reported > SILENT
        for turn in [turn for turn in self.turns if turn.practice.update == behind]:
            run, practice, updates = turn
            progress = next(updates)
            self._unreported[run] = progress.note or Note(
                progress.update, progress.loss, seconds=practice.seconds, tokens=practice.tokens
            )
            if progress.note or self.paused or silent:
                self._report_note(run)
            if progress.look or self.paused:
                self._report(News(run, progress.look or practice.look()))
            if progress.finished:
                self._write_model(turn)
                self._report(News(run, Finished(progress.finished)))
                self.turns.remove(turn)

    def _report_note(self, run: int) -> None:
        if note := self._unreported.pop(run, None):
            self._reported = monotonic()
            self._report(News(run, note))

    def _report_now(self) -> None:
        """Report the current state before the news of a pause or an end."""
        for run, practice, _ in self.turns:
            self._report_note(run)
            if practice.update:
                self._report(News(run, practice.look()))

    def _save(self) -> None:
        for run, practice, _ in self.turns:
            practice.save(self._checkpoint(run))
        self._saved = monotonic()

    def _checkpoint(self, run: int) -> Path:
        return self.folder / f"run-{run}.safetensors"

    def _write_model(self, turn: Turn) -> None:
        """Write a complete model in place of an earlier one, atomically; write nothing before the first update."""
        if turn.practice.update:
            partial, model = self.folder / "partial", self.folder / f"model-{turn.run}-{turn.practice.update}"
            shutil.rmtree(partial, ignore_errors=True)
            turn.practice.finish(partial)
            if not model.exists():
                partial.rename(model)
            self._report(News(turn.run, model))
            for earlier in self.folder.glob(f"model-{turn.run}-*"):
                if earlier != model:
                    shutil.rmtree(earlier)
