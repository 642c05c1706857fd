"""Linear layers, y = W x + b, whose large matrices are made ready for one vector at a time.

A decoder step multiplies each large matrix by one vector, so it takes as long as reading the matrices. Saved weights
are float16 numbers. FBGEMM, which PyTorch has on x86 processors, reads them as such and multiplies and adds in float32:
half the memory, and the same result as `torch.nn.functional.linear` up to the order of the sums.
"""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional
from torch.utils.weak import WeakIdKeyDictionary

ENGINES = ("fbgemm", "x86")  # of PyTorch that multiply by FBGEMM


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
    by columns instead: multiplying it by one vector then takes a third less time."""
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
