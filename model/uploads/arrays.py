"""Arrays from outside, NPZ and safetensors: counted from their headers before any array is built.

An array without numbers costs nothing on disk, (20000000, 0), and neither do texts of no characters; as lists they are
twenty million objects. So elements are counted as if no dimension were 0.
"""

from collections.abc import Mapping
from io import BytesIO
from math import prod
from typing import NamedTuple

import numpy as np
from numpy import ndarray
from numpy.lib import format as npy
from safetensors import SafetensorError
from safetensors.numpy import load

from regard.model.input_error import InputError
from regard.model.uploads.unpacking import directory, members, path_of, read_entry

RESAVE = "accepted is a file of numpy.savez"
NUMBERS, TEXT = "biuf", "U"  # kinds of NumPy's types
LONGEST_TEXT = 10_000  # characters of an element
LONGEST_HEADER = 2**17  # bytes of a safetensors file's header; ours have up to 10,248
GREATEST = float(np.finfo(np.float16).max)  # a larger value could make a sum of products infinite

_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class Bound(NamedTuple):
    """The accepted kinds of one array, and its most dimensions, elements and characters of one."""

    kinds: str
    dimensions: int
    elements: int
    longest: int = LONGEST_TEXT


def read_npz(content: bytes, bounds: Mapping[str, Bound], most_bytes: int) -> dict[str, ndarray]:
    """Return the arrays by name, read-only. `bounds` has every accepted name; `most_bytes` bounds all arrays together.
    Raises InputError naming the array, the error and the accepted values."""
    archive = directory(content, RESAVE)
    entries = {path_of(entry).removesuffix(".npy"): entry for entry in members(archive)}
    if odd := [name for name in entries if name not in bounds]:
        raise InputError(f"it has {odd[0][:40]!r}; accepted are arrays named {', '.join(bounds)}")
    if (size := sum(entry.file_size for entry in entries.values())) > most_bytes:
        raise InputError(f"its arrays have {size:,} bytes; up to {most_bytes:,} are read")
    return {name: array(name, read_entry(archive, entry, RESAVE), bounds[name]) for name, entry in entries.items()}


def array(name: str, content: bytes, bound: Bound) -> ndarray:
    """Return the array that these bytes of `numpy.save` are, read-only. Raises InputError if its header exceeds the
    bound, or the bytes behind it do not match."""
    file = BytesIO(content)
    try:
        shape, by_columns, dtype = _READERS[npy.read_magic(file)](file)
    except Exception as error:  # NumPy's reader raises many kinds of error for a damaged file
        raise InputError(f"{name} does not begin with the header of an array") from error
    if dtype.kind not in bound.kinds or not 0 < dtype.itemsize <= 4 * bound.longest:
        accepted = f"text of 1 to {bound.longest:,} characters" if bound.kinds == TEXT else "numbers"
        raise InputError(f"{name} is an array of {dtype.str[:20]}; {accepted} are accepted there, nothing pickled")
    if len(shape) > bound.dimensions or min(shape, default=0) < 0:
        raise InputError(f"{name} has {len(shape)} dimensions; up to {bound.dimensions} are accepted")
    if prod(max(1, size) for size in shape) > bound.elements:
        raise InputError(f"{name} is of shape {str(shape)[:60]}; up to {bound.elements:,} elements are accepted")
    if dtype.itemsize * prod(shape) != len(content) - file.tell():
        raise InputError(f"{name} says it is of another size than it is")
    flat = np.frombuffer(content, dtype, offset=file.tell())
    return flat.reshape(shape[::-1]).T if by_columns else flat.reshape(shape)


def check_tensors(content: bytes, expected: Mapping[str, tuple[int, ...]] | None = None) -> None:
    """Check that a safetensors file has finite numbers, of exactly the expected shapes if they are given. Raises
    InputError naming the tensor that fails."""
    if int.from_bytes(content[:8], "little") > LONGEST_HEADER:
        raise InputError("it is not a safetensors file, or its header is too long")
    try:
        tensors = load(content)  # which checks that the tensors fill the file without gaps or overlaps
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise InputError(f"it is not a safetensors file, or not all of it ({str(error)[:100]})") from error
    if expected is not None and tensors.keys() != expected.keys():
        differences = {"without": expected.keys() - tensors.keys(), "with": tensors.keys() - expected.keys()}
        named = (f"{how} {', '.join(sorted(names)[:3])[:180]}" for how, names in differences.items() if names)
        raise InputError(f"its tensors are not those that config.json asks for: {' and '.join(named)}")
    for name, tensor in tensors.items():
        if expected is not None and tensor.shape != expected[name]:
            raise InputError(f"{name} is {tensor.shape}, config.json asks for {expected[name]}")
        if tensor.dtype not in (np.float16, np.float32):
            raise InputError(f"{name[:60]} is of type {tensor.dtype}; float16 and float32 are accepted")
        if not np.isfinite(tensor).all():
            raise InputError(f"{name[:60]} holds NaN or infinity")
        if tensor.size and max(-tensor.min(), tensor.max()) > GREATEST:
            raise InputError(f"{name[:60]} holds a value beyond ±{GREATEST:,.0f}, the most that float16 can hold")
