"""Strict JSON: turn untrusted text into a frozen value, or raise an InputError that names the place and the accepted
values."""

from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from regard.model.input_error import InputError

Value = TypeVar("Value")


def read(kind: type[Value], text: str, accepted: str) -> Value:
    """Parse `text` as `kind`; `accepted` shows an example of valid text. The value's own error messages are kept."""
    try:
        return _reader(kind).validate_json(text, strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "value_error":
            raise InputError(first["msg"].removeprefix("Value error, ")) from error
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{place}{': ' * bool(place)}{first['msg']}. {accepted}") from error


@cache
def _reader(kind: type) -> Any:
    return TypeAdapter(kind)
