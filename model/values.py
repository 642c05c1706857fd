"""Frozen values: read-only arrays, and fields checked when they come from untrusted text or a person's code."""

import re
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from numpy import ndarray
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from regard.model.input_error import InputError

Value = TypeVar("Value")


class ReadOnly:
    """The base of a frozen dataclass with arrays, which NumPy would otherwise leave writable."""

    def __post_init__(self) -> None:
        for field in vars(self).values():
            if isinstance(field, ndarray):
                field.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, whose arrays are read-only too."""
        vars(self).update(state)
        self.__post_init__()


def read(kind: type[Value], text: str, accepted: str) -> Value:
    """Parse `text` as `kind`; `accepted` shows an example of valid text. The value's own error messages are kept."""
    try:
        return reader(kind).validate_json(text, strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "value_error":
            raise first.get("ctx", {})["error"] from error
        raise InputError(f"{_problem(kind, first)}. {accepted}") from error


def checked(kind: Any, value: object, name: str, accepted: str) -> Any:
    """Return a value that a person's own code gave as `name`: arrays and lists as tuples, if it is then a `kind`."""
    try:
        return reader(kind).validate_python(_plain(value), strict=True)
    except ValidationError as error:
        raise InputError(f"{name}: {_problem(kind, error.errors()[0])}. {accepted}") from error


def _plain(value: Any) -> object:
    """Return arrays, tensors, their numbers and lists as tuples and numbers of Python."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, (list, tuple)) else value


def _problem(kind: Any, error: ErrorDetails) -> str:
    """Return what is wrong with the text, and where."""
    if error["type"] == "json_invalid":
        line = re.search(r"line (\d+)", error["msg"])
        return f"not JSON (line {line[1]})" if line else "not JSON"
    place = ".".join(map(str, error["loc"]))
    if error["type"] == "tuple_type":
        return f"{place}{': ' * bool(place)}{error['input']!r:.40} is not a list"
    if error["type"] == "unexpected_keyword_argument":
        return f"unknown key {place[:40]}; known are {', '.join(field.name for field in fields(kind))}"
    return f"{place}{': ' * bool(place)}{error['msg']}"


@cache
def reader(kind: Any) -> Any:
    """Return pydantic's reader of a type, of which each is built once."""
    return TypeAdapter(kind)
