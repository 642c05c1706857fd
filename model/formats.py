"""Formats of traces. Their writers register here, so that `trace` depends neither on them nor on `app`."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from regard.model.files import write_file
from regard.model.input_error import InputError

_writers: dict[str, tuple[str, str]] = {}


def register(name: str, module: str, function: str) -> None:
    """Write the format of this name with a function of a module, which is loaded when it is first needed."""
    _writers[name] = module, function


def write(name: str, trace: object) -> Any:
    """Return the trace in the format of this name. Raises InputError if no writer is registered for it, and
    ModuleNotFoundError saying what to install for a figure without Plotly."""
    if name not in _writers:
        raise InputError(f"{name!r} is not a format of a trace here; `import regard` registers them")
    module, function = _writers[name]
    try:
        writer = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        if error.name != "plotly":
            raise
        raise ModuleNotFoundError(
            "plotly is not installed; pip install 'regard[app]' brings it", name="plotly"
        ) from error
    return writer(trace)


def save(trace: object, path: Path | str) -> None:
    """Write the trace to a file in the format that the file's ending names: .json, .npz or .html. Raises InputError for
    another ending."""
    file = destination(path, "a trace", ".json", ".npz", ".html")
    write_file(file, write(file.suffix.removeprefix("."), trace))


def destination(path: Any, saved: str, *endings: str) -> Path:
    """Return the path of a file to save to. Raises InputError for what is not a path, or has none of the endings."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"the path is {path!r}; it must be a string or a pathlib.Path")
    path = Path(path)
    if path.suffix not in endings:
        accepted = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise InputError(f"{path} ends in {path.suffix!r}; {saved} is saved as {accepted}")
    return path
