"""Notebook display: whoever can draw traces registers here, so that a trace shows itself and `model` knows no `app`."""

from collections.abc import Callable, Sequence
from typing import Any

Renderer = Callable[[Sequence[Any]], str]  # traces to HTML that needs no server

_renderers: list[Renderer] = []


def register(renderer: Renderer) -> None:
    """Draw traces with this renderer from now on."""
    _renderers[:] = [renderer]


def html(traces: Sequence[Any]) -> str | None:
    """Return the traces as HTML; None, for which a notebook shows the plain text, where no renderer is registered."""
    return _renderers[0](traces) if _renderers else None
