"""The server's process: the port that it listens on, its end with its parent, and its processor time.

One process computes in one interpreter, so visitors begin to wait for each other as its share of a core comes near 1.
Sentences still being typed are translated while there is room, and the translator process works while there is none.
"""

import argparse
import ctypes
import errno
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

LAST_PORT = 65_535


def valid_port(text: str) -> int:
    """Read a port of the command line; argparse prints the error in one line."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; it must be from 1 to {LAST_PORT:,}")
    return int(text)


def is_free(address: str, number: int) -> bool:
    """Return True if this process may listen there. Exits with one line if no process of this machine could."""
    try:
        with socket.create_server((address, number), family=socket.AF_INET6 if ":" in address else socket.AF_INET):
            return True
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            sys.exit(f"regard: cannot serve on {address}: {error.strerror}")
        return False


def check_free(address: str, number: int) -> None:
    """Check the port. Exits with one line if another process listens there, or this one may not."""
    if not is_free(address, number):
        sys.exit(f"regard: port {number} of {address} is in use, or not yours to take; name another with --port")


PR_SET_PDEATHSIG = 1


def end_with(parent: int, number: int = signal.SIGKILL) -> None:
    """Have this process receive a signal when its parent ends (on Linux), or end at once if it has ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before that took effect


SPAN = 1.0  # seconds over which the share is measured
MOST = 0.5  # of a core, from which on there is no room
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class RoomToSpare:
    """The server's spare time. `clock` and `used` return elapsed seconds and this process's processor seconds."""

    clock: Callable[[], float] = time.monotonic
    used: Callable[[], float] = time.process_time
    _share: float = 0.0
    _since: tuple[float, float] = field(init=False)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._since = self.clock(), self.used()

    def is_free(self) -> bool:
        """Return True if the process computed less than `MOST` of the last span, or of a longer time since the last
        question.
        """
        with self._lock:
            now, used = self.clock(), self.used()
            passed = now - self._since[0]
            if passed >= SPAN:
                self._share, self._since = (used - self._since[1]) / passed, (now, used)
            return self._share < MOST


room = RoomToSpare()
