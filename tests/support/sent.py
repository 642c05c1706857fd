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
            size = math.prod(value["shape"])
            start = 4 * (value["data"] if isinstance(value["data"], int) else value["data"][0])
            array = numbers[start : start + 4 * size]
            if not isinstance(value["data"], int):
                first = start + 4 * math.ceil(size / 32)
                there = np.unpackbits(np.frombuffer(numbers[start:first], np.uint8), count=size, bitorder="little")
                words = np.zeros(size, "<u4")
                words[there == 1] = np.frombuffer(numbers, "<u4", value["data"][1], first)
                array = words.tobytes()
            value["data"] = b64encode(array).decode("ascii")
        return value

    settings, packed = json.loads(message[4 : 4 + length], object_hook=lifted)
    return packed | settings
