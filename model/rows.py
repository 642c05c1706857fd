"""Rows of a batch in nested tuples of tensors, such as a decoder's memory: one row per sentence or hypothesis."""

from collections.abc import Callable
from typing import Any, TypeVar

from jaxtyping import Int
from torch import Tensor

PartsT = TypeVar("PartsT")


def repeated(parts: PartsT, rows: int) -> PartsT:
    """Repeat a single row `rows` times."""
    return _changed(parts, lambda tensor: tensor.expand(rows, *tensor.shape[1:]))


def taken(parts: PartsT, rows: Int[Tensor, " N"]) -> PartsT:
    """Return the given rows, in the given order."""
    return _changed(parts, lambda tensor: tensor[rows])


def _changed(parts: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """Apply a change to every tensor of tuples within tuples; a value of another kind has no rows and is kept."""
    if isinstance(parts, tuple):
        make = getattr(type(parts), "_make", tuple)  # of a named tuple
        return make(_changed(part, change) for part in parts)
    return change(parts) if isinstance(parts, Tensor) else parts
