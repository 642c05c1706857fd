"""The server's end of the training processes: of each worker, and of the fork server.

A request for a worker returns at once, although the first one takes seconds. Worker and server exchange lines of JSON
(see worker.py).
"""

import atexit
import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import regard

CODE = Path(regard.__file__).parents[1]  # the folder with `regard`
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
NO_CACHE = {"TORCHINDUCTOR_CACHE_DIR": tempfile.gettempdir()}  # PyTorch would leave an empty folder of its own there


class ForkServer:
    """The fork server's handle, thread-safe. Its process (see forkserver.py) starts with the first worker, and again if
    it is gone. It ends with the server, because a socket closes then."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._started: tuple[subprocess.Popen[bytes], socket.socket] | None = None

    def fork(self, ends: Sequence[int]) -> None:
        """Fork a worker that gets these file descriptors. Raises OSError if no process could be started."""
        with self._lock:
            if self._started:
                try:
                    socket.send_fds(self._started[1], [b"+"], ends)
                except ConnectionError:  # it was killed
                    self._end()
                else:
                    return
            socket.send_fds(self._start(), [b"+"], ends)

    def close(self) -> None:
        """End the fork server and wait for it; on Linux its workers end too."""
        with self._lock:
            self._end()

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", "regard.app.training_jobs.forkserver"],
                stdin=theirs.fileno(),
                cwd=CODE,
                env=os.environ | ONE_THREAD | NO_CACHE,
                start_new_session=True,  # Ctrl-C in the terminal is meant for the server alone
            )
        self._started = process, ours
        return ours

    def _end(self) -> None:
        if self._started:
            process, ours = self._started
            ours.close()
            process.kill()
            process.wait()
            self._started = None


fork_server = ForkServer()  # the server's only one
atexit.register(fork_server.close)


class Worker:
    """A worker's handle. `heard` receives its messages, `ended` its exit status, after which nothing may be sent; both
    are called from the worker's own thread here."""

    def __init__(
        self, order: dict[str, Any], heard: Callable[[dict[str, Any]], None], ended: Callable[[int], None]
    ) -> None:
        if not hasattr(os, "fork"):
            raise OSError(errno.ENOSYS, "this system cannot fork; `regard practise` trains there too")
        self._lifeline, lifeline = socket.socketpair()
        (told, self._told), (self._says, says) = os.pipe(), os.pipe()
        self.process = 0  # its process id, once it is forked
        self._heard, self._ended = heard, ended
        os.set_blocking(self._told, False)
        with lifeline:
            try:
                fork_server.fork([told, says, lifeline.fileno()])
            except OSError:
                self._lifeline.close()
                for end in (self._told, self._says):
                    os.close(end)
                raise
            finally:
                os.close(told)
                os.close(says)
        self._reader = Thread(target=self._read, name="worker", daemon=True)
        self._reader.start()
        self.tell(order)

    def tell(self, word: str | dict[str, Any]) -> None:
        """Send a line without ever waiting: if the worker is dead or stuck, the line is lost."""
        with contextlib.suppress(OSError):
            os.write(self._told, json.dumps(word).encode() + b"\n")

    def kill(self) -> None:
        """Kill the worker, even before it is forked."""
        with contextlib.suppress(OSError):  # it has ended
            self._lifeline.shutdown(socket.SHUT_WR)

    def wait(self) -> None:
        """Wait until it has ended and all its messages were handled."""
        self._reader.join()

    def _read(self) -> None:
        with self._lifeline, self._lifeline.makefile() as lifeline, os.fdopen(self._says, "rb") as says:
            self.process = int(lifeline.readline() or 0)
            for line in says:
                if line.endswith(b"\n"):  # otherwise it was killed in the middle of a line
                    self._heard(json.loads(line))
            self._ended(int(lifeline.readline() or -signal.SIGKILL))
        os.close(self._told)
