"""Threads of PyTorch: a decoder step is a product of one vector with a matrix, too small for threads to share.

On a shared machine several threads take two to nine times as long as one.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

SETTING = "OMP_NUM_THREADS"


@contextmanager
def decoding_threads() -> Iterator[None]:
    """Decode with one thread, unless the environment variable OMP_NUM_THREADS says otherwise."""
    before = torch.get_num_threads()
    torch.set_num_threads(before if SETTING in os.environ else 1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
