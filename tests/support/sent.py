"""Messages to a component, read as the browser reads them; arrays come out as `as_text` writes them."""

import json
import math
import struct
from base64 import b64encode
from typing import Any

import numpy as np


def sent(element: Any) -> dict[str, Any]:
    """Return the data of a component on a page of AppTest."""
    return unpacked(element.proto.bytes) if element.proto.bytes else json.loads(element.proto.json)


def unpacked(message: bytes) -> dict[str, Any]:
    """The settings and what was packed, in one."""
    (length,) = struct.unpack("<I", message[:4])
    numbers = message[4 + length :]

    def lifted(value: dict[str, Any]) -> dict[str, Any]:
        if value.keys() == {"shape", "data"} and not isinstance(value["data"], str):
            array = _words(numbers, value["data"], math.prod(value["shape"]))
            value["data"] = b64encode(array.astype("<f4").tobytes()).decode("ascii")
        return value

    settings, packed = json.loads(message[4 : 4 + length], object_hook=lifted)
    return packed | settings


def _words(numbers: bytes, place: int | list[int], size: int) -> np.ndarray:
    if isinstance(place, int):
        return np.frombuffer(numbers, "<f4", size, 4 * place)
    first = 4 * (place[0] + math.ceil(size / 32))
    there = np.unpackbits(np.frombuffer(numbers[4 * place[0] : first], np.uint8), count=size, bitorder="little")
    words = np.zeros(size, "<f4")
    words[there == 1] = np.frombuffer(numbers, "<f4", place[1], first)
    return words
