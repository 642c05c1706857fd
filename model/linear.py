"""Linear layers, y = W x + b, whose large matrices are made ready for one vector at a time.

A decoder step multiplies each large matrix by one vector, so it takes as long as reading the matrices. Saved weights
are float16 numbers. FBGEMM, which PyTorch has on x86 processors, reads them as such and multiplies and adds in float32:
half the memory, and the same result as `torch.nn.functional.linear` up to the order of the sums. Such a product is too
small for threads to share: on a shared machine several take two to nine times as long as one, so decoding uses one.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, get_ident
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional
from torch.utils.weak import WeakIdKeyDictionary

ENGINES = ("fbgemm", "x86")  # of PyTorch that multiply by FBGEMM
SETTING = "OMP_NUM_THREADS"  # of the environment: how many threads PyTorch uses


class HalfPrecision(NamedTuple):
    """A matrix in float16 with its bias, as FBGEMM reads it, and the versions of the tensors that it is a copy of."""

    halves: Any
    versions: tuple[int, ...]


_PACKED = WeakIdKeyDictionary()  # by the matrix


def linear(
    inputs: Float[Tensor, "*B X"], matrix: Float[Tensor, "Y X"], bias: Float[Tensor, " Y"] | None = None
) -> Float[Tensor, "*B Y"]:
    """Return W x + b. The float32 matrix is used for gradients, for a single row without a batch, and if it or the
    bias was changed in place after packing (a change through `.data`, which PyTorch does not count, goes unseen)."""
    packed = None if torch.is_grad_enabled() or inputs.dim() == 1 else _PACKED.get(matrix)
    if packed is None or packed.versions != _versions(matrix, bias):
        return functional.linear(inputs, matrix, bias)
    return torch.ops.quantized.linear_dynamic_fp16.default(inputs, packed.halves)


def make_ready(matrix: Float[Tensor, "Y X"], bias: Float[Tensor, " Y"] | None = None) -> None:
    """Pack a matrix and its bias for `linear`. Where there is no FBGEMM, or the numbers are not float16's, lay it out
    by columns instead: multiplying it by one vector then takes a third less time. On another device than the CPU it
    stays as it is."""
    if matrix.device.type != "cpu":
        return
    exact = matrix.dtype == torch.float32 and torch.equal(matrix, matrix.half().float())
    if exact and not matrix.is_inference() and torch.backends.quantized.engine in ENGINES:
        _PACKED[matrix] = HalfPrecision(torch.ops.quantized.linear_prepack_fp16(matrix, bias), _versions(matrix, bias))
    else:
        matrix.data = matrix.t().contiguous().t()


def packed_bytes(matrix: Tensor) -> int:
    """Return the bytes of a matrix's float16 copy, 0 if there is none."""
    return 2 * matrix.numel() if matrix in _PACKED else 0


def _versions(matrix: Tensor, bias: Tensor | None) -> tuple[int, ...]:
    return (matrix._version,) if bias is None else (matrix._version, bias._version)


# Contexts that are decoding, by the thread that opened them. PyTorch keeps a number for each thread, and a new thread
# begins with the number that was set last. The lock is reentrant: the garbage collector may end a stream at any moment.
_lock, _open, _before = RLock(), Counter[int](), [1]


@contextmanager
def decoding_threads() -> Iterator[None]:
    """Decode with one thread, unless the environment variable OMP_NUM_THREADS says otherwise. Contexts may overlap."""
    if SETTING in os.environ:
        yield
        return
    opener = get_ident()
    with _lock:
        number = torch.get_num_threads()  # asked even if it is known: a new thread takes over the last number here
        if not _open:
            _before[0] = number
        _open[opener] += 1
        torch.set_num_threads(1)
    try:
        yield
    finally:
        with _lock:
            _open[opener] -= 1
            if not _open[opener]:
                del _open[opener]
                torch.set_num_threads(_before[0])
