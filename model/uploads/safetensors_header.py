"""Header of a safetensors file, checked before code that allocates memory by it reads the file.

8 bytes: N, little endian     N bytes: JSON {name: {"dtype", "shape", "data_offsets"}}     the numbers
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, TypeGuard

import numpy as np
from numpy import ndarray

from regard.model.input_error import InputError

TYPES = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}
LONGEST_HEADER = 2**17  # bytes; ours have up to 10,248
GREATEST = float(np.finfo(np.float16).max)  # a larger value could make a sum of products infinite

_LENGTH = 8  # bytes


@dataclass(frozen=True)
class Stored:
    """One tensor of a file: bytes `start` to `stop` (exclusive) of the numbers."""

    type: np.dtype[Any]
    shape: tuple[int, ...]
    start: int
    stop: int


def check_tensors(content: bytes, expected: Mapping[str, tuple[int, ...]]) -> None:
    """Check that a file has exactly these tensors, all finite. Raises InputError naming the one that fails."""
    stored, numbers = _header(content)
    if stored.keys() != expected.keys():
        missing, odd = sorted(expected.keys() - stored.keys()), sorted(stored.keys() - expected.keys())
        differences = [f"without {', '.join(missing[:3])}"] * bool(missing) + [f"with {_names(odd)}"] * bool(odd)
        raise InputError(f"its tensors are not those that config.json asks for: {' and '.join(differences)}")
    for name, tensor in stored.items():
        if tensor.shape != expected[name]:
            raise InputError(f"{name} is {tensor.shape}, config.json asks for {expected[name]}")
    for name, tensor in stored.items():
        values = numbers[tensor.start : tensor.stop].view(tensor.type)
        if not np.isfinite(values).all():
            raise InputError(f"{name} holds NaN or infinity")
        if len(values) and max(-values.min(), values.max()) > GREATEST:
            raise InputError(f"{name} holds a value beyond ±{GREATEST:,.0f}, the most that float16 can hold")


def stored_shapes(content: bytes) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor by name. Raises InputError if the file does not match its header."""
    return {name: tensor.shape for name, tensor in _header(content)[0].items()}


def _header(content: bytes) -> tuple[dict[str, Stored], ndarray]:
    """Return the tensors, which fill the rest of the file without gaps or overlaps, and that rest."""
    length = int.from_bytes(content[:_LENGTH], "little")
    if len(content) < _LENGTH or length > min(LONGEST_HEADER, len(content) - _LENGTH):
        raise InputError("it is not a safetensors file, or not all of it")
    try:
        header = json.loads(content[_LENGTH : _LENGTH + length].decode(), object_pairs_hook=_once)
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        stored = {name: _stored(name, entry) for name, entry in entries.items()}
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError, AttributeError) as error:
        raise InputError(f"its header is not a JSON object of tensors ({error})") from error
    numbers, place = np.frombuffer(content, np.uint8, offset=_LENGTH + length), 0
    for name, tensor in sorted(stored.items(), key=lambda item: (item[1].start, item[1].stop)):
        if tensor.start != place:
            raise InputError(f"{_names([name])} begins at byte {tensor.start}, the tensor before it ends at {place}")
        place = tensor.stop
    if place != len(numbers):
        raise InputError(f"it is not complete: its header tells of {place:,} bytes of numbers, it has {len(numbers):,}")
    return stored, numbers


def _stored(name: str, entry: Any) -> Stored:
    dtype, shape, offsets = str(entry.get("dtype")), entry.get("shape"), entry.get("data_offsets")
    if dtype not in TYPES:
        raise InputError(f"{_names([name])} is of type {dtype[:20]}; {' and '.join(TYPES)} are accepted")
    if not _are_sizes(shape) or not _are_sizes(offsets) or len(offsets) != 2:
        raise InputError(f"{_names([name])} has no shape or place that can be read")
    start, stop = offsets
    if stop - start != prod(shape) * TYPES[dtype].itemsize:
        raise InputError(f"{_names([name])} of shape {tuple(shape)} has {stop - start} bytes, which does not fit")
    return Stored(TYPES[dtype], tuple(shape), start, stop)


def _are_sizes(values: Any) -> TypeGuard[list[int]]:
    """Return True for at most a few whole numbers of at least 0; no network has tensors of over two dimensions."""
    few = isinstance(values, list) and len(values) <= 2
    return few and all(type(value) is int and 0 <= value < 2**40 for value in values)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise InputError("its header names something twice")
    return entries


def _names(names: list[str]) -> str:
    """Return untrusted names, cut to a readable length."""
    return ", ".join(name if len(name) < 60 else f"{name[:59]}…" for name in names[:3])
