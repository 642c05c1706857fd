"""Threads of PyTorch: a decoder step is a product of one vector with a matrix, too small for threads to share.

On a shared machine several threads take two to nine times as long as one.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, get_ident

import torch

SETTING = "OMP_NUM_THREADS"


class _OpenContexts:
    """Contexts that are decoding, by the thread that opened them. PyTorch keeps a number for each thread, and a new
    thread begins with the number that was set last."""

    def __init__(self) -> None:
        self._lock = RLock()  # reentrant, because the garbage collector may end a stream at any moment
        self._count: Counter[int] = Counter()
        self._before = 1

    def enter(self) -> int:
        """Set one thread, and return the opener."""
        opener = get_ident()
        with self._lock:
            number = torch.get_num_threads()  # asked even if it is known: a new thread takes over the last number here
            if not self._count:
                self._before = number
            self._count[opener] += 1
            torch.set_num_threads(1)
        return opener

    def leave(self, opener: int) -> None:
        """Restore the number if this was the opener's last context."""
        with self._lock:
            self._count[opener] -= 1
            if not self._count[opener]:
                del self._count[opener]
                torch.set_num_threads(self._before)


_contexts = _OpenContexts()


@contextmanager
def decoding_threads() -> Iterator[None]:
    """Decode with one thread, unless the environment variable OMP_NUM_THREADS says otherwise. Contexts may overlap."""
    if SETTING in os.environ:
        yield
        return
    opener = _contexts.enter()
    try:
        yield
    finally:
        _contexts.leave(opener)
