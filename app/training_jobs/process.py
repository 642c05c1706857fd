"""The server's end of the processes that train: of each worker, and of the fork server that they are forked from.

Who asks for a worker does not wait for it: the first is seconds away. A worker is told lines and says lines, JSON each
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
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import regard

CODE = Path(regard.__file__).parents[1]  # where `regard` is
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class ForkServer:
    """Thread-safe. Its process (see forkserver.py) starts when the first worker is asked for, and again if it is gone.

    It ends with the server, since a socket closes then.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._started: tuple[subprocess.Popen[bytes], socket.socket] | None = None

    def fork(self, ends: Sequence[int]) -> None:
        """Have a worker forked that gets these file descriptors. Raises OSError if no process could be started."""
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
        """End it and wait for it, and on Linux what it forked ends too."""
        with self._lock:
            self._end()

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", "regard.app.training_jobs.forkserver"],
                stdin=theirs.fileno(),
                cwd=CODE,
                env=os.environ | ONE_THREAD,
                start_new_session=True,  # Ctrl-C on the server's terminal is for the server
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
    """`heard` gets what it says, `ended` its exit status, after which nothing may be told any more; both are called
    from a thread of this worker's own.
    """

    def __init__(
        self, order: dict[str, Any], heard: Callable[[dict[str, Any]], None], ended: Callable[[int], None]
    ) -> None:
        if not hasattr(os, "fork"):
            raise OSError(errno.ENOSYS, "this system cannot fork; `regard practise` trains there too")
        self._lifeline, lifeline = socket.socketpair()
        (told, self._told), (self._says, says) = os.pipe(), os.pipe()
        self.process = 0  # its id, once it is forked
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
        """Never waits: what a worker cannot take, since it is dead or stands still, is lost."""
        with contextlib.suppress(OSError):
            os.write(self._told, json.dumps(word).encode() + b"\n")

    def kill(self) -> None:
        """Also one that is not forked yet."""
        with contextlib.suppress(OSError):  # it has ended
            self._lifeline.shutdown(socket.SHUT_WR)

    def wait(self) -> None:
        """Until it has ended and all that it said was heard."""
        self._reader.join()

    def _read(self) -> None:
        with self._lifeline, self._lifeline.makefile() as lifeline, os.fdopen(self._says, "rb") as says:
            self.process = int(lifeline.readline() or 0)
            for line in says:
                if line.endswith(b"\n"):  # or it was killed amid a word
                    self._heard(json.loads(line))
            self._ended(int(lifeline.readline() or -signal.SIGKILL))  # or the fork server was killed, and it with it
        os.close(self._told)
