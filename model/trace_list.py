"""Trace list: a list of traces that a notebook shows as a choice of steppers."""

from typing import SupportsIndex, TypeVar, overload

from regard.model import formats
from regard.model.trace import AnyTrace

ShownT = TypeVar("ShownT", bound=AnyTrace)


class TraceList(list[ShownT]):
    """Several traces, in order. A slice is a trace list too."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> ShownT: ...
    @overload
    def __getitem__(self, index: slice) -> "TraceList[ShownT]": ...
    def __getitem__(self, index: SupportsIndex | slice) -> "ShownT | TraceList[ShownT]":
        return TraceList(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def _repr_html_(self) -> str:
        """Show them in a notebook: one at a time, chosen by its sentence."""
        return formats.write("frames", self)
