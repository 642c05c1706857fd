"""Room: whether the server has processor time to spare, by its share of one core.

One process computes in one interpreter, so visitors begin to wait for each other as that share comes near 1. Sentences
still being typed are translated while there is room, and the translator process works while there is none.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

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
