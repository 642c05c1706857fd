"""Trace list: a list of traces that a notebook shows as a choice of steppers."""

from typing import TypeVar

from regard.model import formats
from regard.model.trace import AnyTrace

ShownT = TypeVar("ShownT", bound=AnyTrace)


class TraceList(list[ShownT]):
    """Several traces, in order."""

    def _repr_html_(self) -> str:
        """Show them in a notebook: one at a time, chosen by its sentence."""
        return formats.write("frames", self)
