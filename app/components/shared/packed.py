"""Packed arrays: how arrays travel to the browser, as little-endian float32, behind the JSON of all else or inside it
as base64.

Behind it they are sent as they lie in memory: a length (uint32), a JSON text padded to whole words, the numbers.
In the text an array is `{"shape": [...], "data": n}`, n its place among the numbers. `packed.js` reads it.
"""

import hashlib
import json
import struct
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

from jaxtyping import Bool, Float
from numpy import ndarray

WORD = 4  # bytes


class Array(TypedDict):
    shape: list[int]
    data: bytes


def encode(array: Float[ndarray, "..."] | Bool[ndarray, "..."]) -> Array:
    """Shape and bytes of a float32 copy."""
    return {"shape": list(array.shape), "data": array.astype("<f4").tobytes()}


def as_text(data: object) -> str:
    """JSON with the arrays inside as base64."""
    return json.dumps(data, default=_base64)


@dataclass(frozen=True)
class Packed:
    """A JSON object and the numbers behind it."""

    text: str
    numbers: bytes

    @cached_property
    def id(self) -> str:
        """Differs whenever anything in it does."""
        return hashlib.sha256(self.text.encode() + self.numbers).hexdigest()

    def message(self, settings: Mapping[str, object]) -> bytes:
        """What is sent: a list of the settings, with the id among them, and of what was packed."""
        text = f"[{json.dumps({**settings, 'id': self.id})},{self.text}]".encode()
        padded = text.ljust(-len(text) % WORD + len(text))
        return struct.pack("<I", len(padded)) + padded + self.numbers


def pack(data: Mapping[str, object]) -> Packed:
    """Take the arrays out of JSON-like data; one that stands in it twice is kept twice."""
    arrays: list[bytes] = []
    size = 0

    def place(array: object) -> int:
        nonlocal size
        if not isinstance(array, bytes):
            raise TypeError(f"{type(array).__name__} is neither JSON nor the bytes of an array")
        arrays.append(array)
        size += len(array)
        return (size - len(array)) // WORD

    text = json.dumps(data, default=place)
    return Packed(text, b"".join(arrays))


def _base64(array: object) -> str:
    if not isinstance(array, bytes):
        raise TypeError(f"{type(array).__name__} is neither JSON nor the bytes of an array")
    return b64encode(array).decode("ascii")
