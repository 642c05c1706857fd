"""The time limit of an answer, in CPU time, so that a busy machine fails no test."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

SECONDS = 4.0  # a busy machine with every shape checked needs up to 1.3; what this guards against took many times that


@contextmanager
def soon(seconds: float = SECONDS) -> Iterator[None]:
    began = thread_time()
    yield
    assert thread_time() - began < seconds
