"""NPZ files from outside: the directory of the zip and the header of every array are checked before any array is built.

An array without numbers costs nothing on disk, (20000000, 0), and neither do texts of no characters; as lists they are
twenty million objects. So elements are counted as if no dimension were 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import prod
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.lib import format as npy

from regard.model.input_error import InputError
from regard.model.uploads.unpacking import directory, members, path_of, read_entry

RESAVE = "accepted is a file of numpy.savez"
NUMBERS, TEXT = "biuf", "U"  # kinds of NumPy's types
LONGEST_TEXT = 10_000  # characters of an element

_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


@dataclass(frozen=True)
class Bound:
    """The accepted kinds of one array, and its most dimensions and elements."""

    kinds: str
    dimensions: int
    elements: int


@dataclass(frozen=True)
class Header:
    """The header of an array in the format of `numpy.save`; its elements begin at byte `start`."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    by_columns: bool
    start: int

    @property
    def elements(self) -> int:
        """The number of elements, counting a dimension of 0 as 1."""
        return prod(max(1, size) for size in self.shape)


def read_npz(content: bytes, bounds: Mapping[str, Bound], most_bytes: int) -> dict[str, ndarray]:
    """Return the arrays by name, read-only. `bounds` has every accepted name; `most_bytes` bounds all arrays together.
    Raises InputError naming the array, the error and the accepted values."""
    archive = directory(content, RESAVE)
    files = members(archive)
    entries = {path_of(entry).removesuffix(".npy"): entry for entry in files}
    odd = [name for name in entries if name not in bounds]
    if odd or len(entries) < len(files):
        named = f"it has {odd[0][:40]!r}" if odd else "it has one name twice"
        raise InputError(f"{named}; accepted are arrays named {', '.join(bounds)}")
    size = sum(entry.file_size for entry in entries.values())
    if size > most_bytes:
        raise InputError(f"its arrays have {size:,} bytes; up to {most_bytes:,} are read")
    return {name: array(name, read_entry(archive, entry, RESAVE), bounds[name]) for name, entry in entries.items()}


def array(name: str, content: bytes, bound: Bound) -> ndarray:
    """Return the array that these bytes are, read-only. Raises InputError unless it is within its bound."""
    header = read_header(name, content, bound)
    flat = np.frombuffer(content, header.dtype, offset=header.start)
    return flat.reshape(header.shape[::-1]).T if header.by_columns else flat.reshape(header.shape)


def read_header(name: str, content: bytes, bound: Bound) -> Header:
    """Return the header of an array. Raises InputError if it exceeds its bound, or the bytes behind it do not match."""
    file = BytesIO(content)
    try:
        shape, by_columns, dtype = _READERS[npy.read_magic(file)](file)
    except Exception as error:  # NumPy's reader raises many kinds of error for a damaged file
        raise InputError(f"{name} does not begin with the header of an array") from error
    header = Header(dtype, shape, by_columns, file.tell())
    if dtype.kind not in bound.kinds or not dtype.itemsize or dtype.itemsize > 4 * LONGEST_TEXT:
        accepted = f"text of 1 to {LONGEST_TEXT:,} characters" if bound.kinds == TEXT else "numbers"
        raise InputError(f"{name} is an array of {dtype.str[:20]}; {accepted} are accepted there, nothing pickled")
    if len(shape) > bound.dimensions or min(shape, default=0) < 0:
        raise InputError(f"{name} has {len(shape)} dimensions; up to {bound.dimensions} are accepted")
    if header.elements > bound.elements:
        raise InputError(f"{name} is of shape {str(shape)[:60]}; up to {bound.elements:,} elements are accepted")
    if dtype.itemsize * prod(shape) != len(content) - header.start:
        raise InputError(f"{name} says it is of another size than it is")
    return header
