"""Formats of traces: the function that writes each, named here, so that `trace` depends neither on it nor on `app`."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from regard.model.files import write_file
from regard.model.input_error import InputError

WRITERS = {  # a module, which is loaded when it is first needed, and its function
    "json": ("model.archive", "to_json"),
    "npz": ("model.archive", "to_npz"),
    "html": ("app.export.notebook", "page_of"),
    "frame": ("app.export.notebook", "frame"),
    "frames": ("app.export.notebook", "frames"),
    "figure": ("app.figures.heatmap", "of_trace"),
    "given_json": ("model.soft_alignments.plain", "written"),
    "given_html": ("app.export.attention_page", "page_of"),
    "given_frame": ("app.export.attention_page", "frame"),
}


def write(name: str, trace: object) -> Any:
    """Return the trace in the format of this name. Raises ModuleNotFoundError saying what to install for a figure
    without Plotly."""
    module, function = WRITERS[name]
    try:
        writer = getattr(import_module(f"regard.{module}"), function)
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
