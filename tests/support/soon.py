"""The time limit of an answer, in CPU time, so that a busy machine fails no test."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

SECONDS = 2.0  # on a slow machine with every shape checked; what this guards against took several times as long


@contextmanager
def soon(seconds: float = SECONDS) -> Iterator[None]:
    began = thread_time()
    yield
    assert thread_time() - began < seconds
