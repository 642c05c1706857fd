"""Size of a result in memory: its arrays, texts and values, each counted once."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from torch import Tensor, nn

from regard.model.linear import packed_bytes

LEAVES = (int, float, bool, str, bytes, type(None))  # contain nothing else; most parts are of these types


def size(value: object) -> int:
    """Return the size in bytes. Parts shared by several results count for each of them."""
    counted: set[int] = set()
    total, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        if type(part) in LEAVES:
            total += sys.getsizeof(part)
        elif id(part) not in counted:
            counted.add(id(part))
            total += _own(part)
            waiting.extend(_parts(part))
    return total


def _own(part: Any) -> int:
    if isinstance(part, np.ndarray):
        return part.nbytes
    if isinstance(part, Tensor):
        return part.numel() * part.element_size() + packed_bytes(part)
    return sys.getsizeof(part)


def _parts(part: Any) -> Iterable[Any]:
    if isinstance(part, tuple | list | set | frozenset):
        return part
    if isinstance(part, Mapping):
        return chain.from_iterable(part.items())
    if isinstance(part, nn.Module):
        return part.parameters()
    return [getattr(part, name) for name in _names(type(part))]


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; none for other types."""
    return tuple(field.name for field in fields(kind)) if hasattr(kind, "__dataclass_fields__") else ()
