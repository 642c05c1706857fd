"""Messages to a component, read as the browser reads them; arrays come out as `as_text` writes them."""

import json
import math
import struct
from base64 import b64decode, b64encode
from typing import Any

import numpy as np


def numbers(array: dict[str, Any]) -> np.ndarray:
    """Return an array as it comes out of `sent`, or as Plotly writes it into a figure."""
    if "bdata" not in array:
        return np.frombuffer(b64decode(array["data"]), "<f4").reshape(array["shape"])
    shape = [int(size) for size in array.get("shape", "-1").split(",")]
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"]).reshape(shape)


def sent(element: Any) -> dict[str, Any]:
    """Return the data of a component on a page of AppTest."""
    return unpacked(element.proto.bytes) if element.proto.bytes else json.loads(element.proto.json)


def unpacked(message: bytes) -> dict[str, Any]:
    """The settings and what was packed, in one."""
    (length,) = struct.unpack("<I", message[:4])
    numbers = message[4 + length :]

    def lifted(value: dict[str, Any]) -> dict[str, Any]:
        if value.keys() == {"shape", "data"} and not isinstance(value["data"], str):
            first = 4 * value["data"]
            value["data"] = b64encode(numbers[first : first + 4 * math.prod(value["shape"])]).decode("ascii")
        return value

    settings, packed = json.loads(message[4 : 4 + length], object_hook=lifted)
    return packed | settings
