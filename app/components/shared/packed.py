"""Packed arrays: little-endian float32 numbers for the browser, after the JSON or inside it as base64.

After the JSON they are sent as in memory: a length (uint32), JSON text padded to whole words, the numbers. In the text
an array is `{"shape": [...], "data": n}`, where n is its place among the numbers; `mounting.js` reads it.
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
    """Return the shape and bytes of a float32 copy: every digit that a page prints is read from it."""
    return {"shape": list(array.shape), "data": array.astype("<f4").tobytes()}


def as_text(data: object) -> str:
    """Return JSON with the arrays inside as base64."""
    return json.dumps(data, default=lambda array: b64encode(_bytes(array)).decode("ascii"))


@dataclass(frozen=True)
class Packed:
    """A JSON object and the numbers after it."""

    text: str
    numbers: bytes

    @cached_property
    def id(self) -> str:
        """Return a hash of the contents."""
        return hashlib.sha256(self.text.encode() + self.numbers).hexdigest()

    def message(self, settings: Mapping[str, object]) -> bytes:
        """Return the message: a list of the settings, with the id, and the packed data."""
        text = f"[{json.dumps({**settings, 'id': self.id})},{self.text}]".encode()
        padded = text.ljust(-len(text) % WORD + len(text))
        return struct.pack("<I", len(padded)) + padded + self.numbers


def pack(data: Mapping[str, object]) -> Packed:
    """Take the arrays out of JSON-like data; an array used twice is kept once."""
    places: dict[bytes, int] = {}
    size = 0

    def place(given: object) -> int:
        nonlocal size
        array = _bytes(given)
        if array not in places:
            places[array] = size // WORD
            size += len(array)
        return places[array]

    text = json.dumps(data, default=place)
    return Packed(text, b"".join(places))


def _bytes(array: object) -> bytes:
    if not isinstance(array, bytes):
        raise TypeError(f"{type(array).__name__} is neither JSON nor the bytes of an array")
    return array
