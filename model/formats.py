"""Formats that a trace can be written in. Their writers register here, so that `trace` needs neither them nor `app`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from regard.model.input_error import InputError

Writer = Callable[[Any], Any]  # a trace to text, bytes or a figure

_writers: dict[str, Writer] = {}


def register(name: str, writer: Writer) -> None:
    """Write the format of this name with this writer from now on."""
    _writers[name] = writer


def write(name: str, trace: object) -> Any:
    """Return the trace in the format of this name. Raises InputError if no writer is registered for it."""
    if name not in _writers:
        raise InputError(f"{name!r} is not a format of a trace here; `import regard` registers them")
    return _writers[name](trace)


def save(trace: object, path: Path | str) -> None:
    """Write the trace to a file in the format that the file's ending names: .json, .npz or .html.

    Raises InputError for another ending.
    """
    path = Path(path)
    kind = path.suffix.removeprefix(".")
    if kind not in ("json", "npz", "html"):
        raise InputError(f"{path} ends in {path.suffix!r}; a trace is saved as .json, .npz or .html")
    content = write(kind, trace)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
