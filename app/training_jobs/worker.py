"""Worker: a process that trains for a visitor, and the server's end of it.

A fork server imports PyTorch once. Each worker is a fork of it, so that it trains within a fraction of a second.
Commands go to it through one pipe, reports come back through another. It ends with its server: when no more commands
can come, and on Linux as soon as the fork server has ended.
"""

import errno
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import connection, forkserver, spawn
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import Any, NamedTuple

from regard.app.models import temporary
from regard.app.server.processes import end_with
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Note, Practice
from regard.model.training.snapshots import Snapshot

FORK_SERVER: Any = forkserver._forkserver  # the server's only one
CONTEXT = multiprocessing.get_context("forkserver")
NICE = 10
SAVED = 5.0  # seconds between checkpoints: at most this much is lost
SILENT = 1.0  # seconds after which a training reports its progress, even if no note is due
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",  # a process of one thread can be forked
    "TORCHINDUCTOR_CACHE_DIR": tempfile.gettempdir(),  # PyTorch would leave an empty folder of its own there
}
LONGEST_REASON = 300  # characters
_changing = Lock()  # of the processes: `multiprocessing` reads each one's status once, from any thread


class News(NamedTuple):
    """The report about one training: a note, a snapshot, its model's folder, or the reason why it has finished."""

    run: int
    news: Note | Snapshot | Path | str


Report = str | News | InputError  # a string is the job's new state; an error ends it, with a reason for the visitor


def start_fork_server() -> None:
    """Start the process that workers are forked from, unless it runs; it has PyTorch loaded some seconds later. Raises
    OSError if it cannot start."""
    if not hasattr(os, "fork"):
        raise OSError(errno.ENOSYS, "this system cannot fork; `regard practise` trains there too")
    os.environ.update(ENVIRONMENT)
    temporary.make(temporary.root())
    server: Any = multiprocessing.current_process()
    server._config["tempdir"] = str(temporary.root())  # for its socket: a killed server leaves no other folder
    spawn.get_preparation_data = lambda _: {"sys_path": sys.path}  # the main module, a page, must not run in a worker
    forkserver.set_forkserver_preload(["torch._dynamo", __name__])  # a process's first optimizer needs the former
    forkserver.ensure_running()


def end_fork_server() -> None:
    """Kill the fork server; on Linux its workers end too. The next worker starts another."""
    if process := FORK_SERVER._forkserver_pid:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        with suppress(FileNotFoundError):  # its socket was deleted
            FORK_SERVER._stop()


class Worker:
    """The handle of a worker that trains these runs of a job, from checkpoints in its folder if there are any. `report`
    receives its reports, `ended` its exit status, after which nothing may be sent; both are called from a thread of the
    worker's own here. It finds `first`, a command or "", before its first update."""

    def __init__(
        self,
        folder: Path,
        setups: Mapping[int, Setup],
        report: Callable[[Report], None],
        ended: Callable[[int], None],
        first: str = "",
    ) -> None:
        self._report, self._ended = report, ended
        self._killed = False
        received, self._commands = CONTEXT.Pipe(duplex=False)
        os.set_blocking(self._commands.fileno(), False)
        self._reports, sent = CONTEXT.Pipe(duplex=False)
        self.process = CONTEXT.Process(target=_begin, args=(folder, setups, received, sent), daemon=True)
        self._thread = Thread(target=self._live, args=(received, sent), name="worker", daemon=True)
        if first:
            self.tell(first)
        self._thread.start()

    def tell(self, command: str) -> None:
        """Send a command without ever waiting: if the worker is dead or stuck, it is lost."""
        with suppress(OSError):
            self._commands.send(command)

    def kill(self) -> None:
        """Kill the worker, even before it is forked."""
        self._killed = True
        if self.process.pid:
            self.process.kill()

    def wait(self) -> None:
        """Wait until it has ended and all its reports were handled."""
        self._thread.join()

    def _live(self, received: Connection, sent: Connection) -> None:
        status = 1
        try:
            with received, sent, _changing:
                start_fork_server()
                self.process.start()
            if self._killed:
                self.kill()
            with suppress(EOFError, OSError):  # it has ended, perhaps in the middle of a report
                while True:
                    self._report(self._reports.recv())
            connection.wait([self.process.sentinel])
            with _changing:
                self.process.join()
            code = self.process.exitcode or 0
            status = -signal.SIGKILL if code == 255 else code  # the fork server was killed, and its workers with it
        except (OSError, EOFError) as error:  # the latter if the fork server was killed meanwhile
            reason = getattr(error, "strerror", None) or "the process that starts it has ended"
            self._report(InputError(f"No process could be started, or no file written: {reason}."))
        finally:
            self._commands.close()
            self._reports.close()
            self._ended(status)


def _begin(folder: Path, setups: Mapping[int, Setup], commands: Connection, reports: Connection) -> None:
    """Train in a process that was just forked."""
    os.close(FORK_SERVER._forkserver_alive_fd)  # held open, it would keep the fork server alive
    end_with(os.getppid())
    os.setsid()  # Ctrl-C in the terminal is meant for the server alone
    os.nice(NICE)
    os.umask(0o077)  # a deleted folder is recreated, and nobody else may read it
    sys.exit(work(folder, setups, commands, reports.send))


def work(folder: Path, setups: Mapping[int, Setup], commands: Any, report: Callable[[Report], None]) -> int:
    """Train and return the exit status."""
    try:
        TrainingLoop(folder, setups, commands, report).run()
    except (EOFError, BrokenPipeError):
        return 1  # the server has ended
    except Exception as error:
        expected = isinstance(error, OSError | InputError)
        message = str(error) if expected else f"{type(error).__name__}: {error}"
        reason = " ".join(message.replace(f"{folder}/", "").split())[:LONGEST_REASON]
        if isinstance(error, OSError):
            reason = f"What it learned could not be saved: {error.strerror}."
        logged = f"a training ended: {reason}\n" if expected else traceback.format_exc()
        sys.stderr.write(logged.replace(str(folder), "FOLDER"))  # its name is a secret
        report(InputError(reason))
        return 1
    return 0


class TrainingLoop:
    """One training, or two that take turns, with commands between updates. A command is any of `scheduler.COMMANDS`, or
    "leave": stop, but write no model."""

    def __init__(
        self, folder: Path, setups: Mapping[int, Setup], commands: Any, report: Callable[[Report], None]
    ) -> None:
        self.folder, self._commands, self._report = folder, commands, report
        self.paused = False
        self.practices = {run: Practice(setup) for run, setup in setups.items()}
        for run, practice in self.practices.items():
            if self._checkpoint(run).exists():
                practice.restore(self._checkpoint(run))
        self._updates = {run: practice.run() for run, practice in self.practices.items()}
        self._notes: dict[int, Note] = {}  # after each training's last update
        self._reported = self._saved = monotonic()

    def run(self) -> None:
        """Train until all have finished or a command ends it; unfinished trainings are then saved."""
        if not self._commands.poll():
            self._report("running")
        while self.practices:
            command = self._next_command()
            if command in ("stop", "leave"):
                self._save()
                for run in self.practices if command == "stop" else ():
                    self._write_model(run)
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
            self.paused = command != "resume"
            self._report("paused" if self.paused else "running")
            if command == "step":
                return command

    def _update(self) -> None:
        """Make one update of each training, or of the one that is behind because its checkpoint was older."""
        behind = min(practice.update for practice in self.practices.values())
        silent = monotonic() - self._reported > SILENT
        for run, practice in [*self.practices.items()]:
            if practice.update > behind:
                continue
            progress = next(self._updates[run])
            self._notes[run] = progress.note or Note(
                progress.update, progress.loss, seconds=practice.seconds, tokens=practice.tokens
            )
            if progress.note or self.paused or silent:
                self._report_note(run)
            if progress.look or self.paused:
                self._report(News(run, progress.look or practice.look()))
            if progress.finished:
                self._write_model(run)
                self._report(News(run, progress.finished))
                del self.practices[run]

    def _report_note(self, run: int) -> None:
        if note := self._notes.get(run):
            self._reported = monotonic()
            self._report(News(run, note))

    def _report_now(self) -> None:
        """Report the current state before the news of a pause or an end."""
        for run, practice in self.practices.items():
            self._report_note(run)
            if practice.update:
                self._report(News(run, practice.look()))

    def _save(self) -> None:
        for run, practice in self.practices.items():
            practice.save(self._checkpoint(run))
        self._saved = monotonic()

    def _checkpoint(self, run: int) -> Path:
        return self.folder / f"run-{run}.safetensors"

    def _write_model(self, run: int) -> None:
        """Write a complete model in place of an earlier one, atomically; write nothing before the first update."""
        practice = self.practices[run]
        if not practice.update:
            return
        partial, model = self.folder / "partial", self.folder / f"model-{run}-{practice.update}"
        shutil.rmtree(partial, ignore_errors=True)
        practice.finish(partial)
        if not model.exists():
            partial.rename(model)
        self._report(News(run, model))
        for earlier in self.folder.glob(f"model-{run}-*"):
            if earlier != model:
                shutil.rmtree(earlier)
