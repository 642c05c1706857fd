"""Files: written atomically, locked to one process, read beside a module or a model, and named by a trace's format.

A *companion file* holds tensors measured on a model, beside its weights and with its hash. A model translates without
them: a file for other weights or a broken one is ignored, and the reason is logged.
"""

import json
import logging
import lzma
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from numpy import ndarray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load as unpacked
from safetensors.numpy import save as packed

from regard.model.input_error import InputError

Content = TypeVar("Content")
WRITERS = {  # of traces, by format: a module, which is loaded when it is first needed, and its function
    "json": ("model.archive", "to_json"),
    "npz": ("model.archive", "to_npz"),
    "html": ("app.export.page", "page"),
    "frames": ("app.export.notebook", "frames"),
    "figure": ("app.figures.heatmap", "of_trace"),
    "given_json": ("model.soft_alignments.json_files", "to_json"),
    "given_npz": ("model.soft_alignments.json_files", "to_npz"),
    "given_html": ("app.export.notebook", "given_page_of"),
    "given_frame": ("app.export.notebook", "given_frame"),
}
_log = logging.getLogger("uvicorn.error")


def at_once(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file atomically; it is on disk when this returns. OSError names the file."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        write(partial)
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        raise


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file atomically. A link is followed; a device or pipe, which cannot be replaced, is written directly."""
    content = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(content)
    else:
        at_once(path.resolve() if path.is_symlink() else path, lambda partial: partial.write_bytes(content))


def in_order(content: bytes) -> bytes:
    """Return a safetensors file with its metadata sorted; the library writes them in the order of a hash map."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":")).encode()
    text = text.ljust(-(-len(text) // 8) * 8)
    return len(text).to_bytes(8, "little") + text + content[8 + length :]


def run_beside(out: Path) -> Path:
    """Return the file of the unfinished run from which the model folder `out` is to come."""
    out = out if out.name else out.absolute()
    return out.with_name(f"{out.name}.run") / "state.safetensors"


def how_to_continue(kept: Path) -> str:
    """Say what a stopped run left in this file."""
    return f"the same command goes on from {kept}" if kept.exists() else "nothing was saved yet"


def check_writable(folder: Path) -> None:
    """Check before long work that files can be written to the folder. Raises InputError if not."""
    if not os.access(folder, os.W_OK):
        raise InputError(f"{folder}: no file can be written there")


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Lock a file, present or future, for the length of the context. Raises InputError if another process holds it. The
    operating system releases the lock when the process ends, however it ends; Windows has no lock of this kind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    lock = path.with_name(f".{path.name}.lock")
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.fstat(file.fileno()).st_nlink:
                raise BlockingIOError  # the holder has just removed this lock file; a third process may hold a new one
        except BlockingIOError as error:
            raise InputError(
                f"{path}: another training run is writing it; wait until it ends, or name another --out"
            ) from error
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def toml_beside(module: str, name: str) -> dict[str, Any]:
    """Return the content of the file `name` in the folder of a module, given by its `__file__`."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def companion_content(tensors: dict[str, ndarray], fingerprint: str, **facts: object) -> bytes:
    """Return the bytes of a companion file for the model with this hash, with metadata."""
    return in_order(packed(tensors, {"model": fingerprint, **{name: str(value) for name, value in facts.items()}}))


def read_companion(
    path: Path, fingerprint: str, build: Callable[[dict[str, ndarray], Mapping[str, str]], Content]
) -> Content | None:
    """Build a value from a file's tensors and metadata; None if it is missing, broken or for another model."""
    if not path.is_file():
        return None
    try:
        facts = _metadata(path)
        if facts["model"] != fingerprint:
            raise ValueError(f"it is of a model with the hash {facts['model']}, and this one has {fingerprint}")
        return build(unpacked(path.read_bytes()), facts)
    except (SafetensorError, lzma.LZMAError, OSError, ValueError, LookupError, TypeError) as error:
        _log.warning("%s is left out: %s", path, error)
        return None


def belongs_to(path: Path, fingerprint: str) -> bool:
    """Return True if a file's metadata names this model, without reading its tensors."""
    try:
        return _metadata(path)["model"] == fingerprint
    except (SafetensorError, OSError, LookupError, TypeError):
        return False


def _metadata(path: Path) -> Mapping[str, str]:
    with safe_open(path, "np") as file:
        return file.metadata()


def as_format(name: str, shown: object) -> Any:
    """Return a trace, several or given attention in the format of this name. Raises ModuleNotFoundError saying what to
    install for a figure without Plotly."""
    module, function = WRITERS[name]
    try:
        writer = getattr(import_module(f"regard.{module}"), function)
    except ModuleNotFoundError as error:
        if error.name != "plotly":
            raise
        raise ModuleNotFoundError(
            "plotly is not installed; pip install plotly brings it, or '.[plot]' in a checkout of Regard", name="plotly"
        ) from error
    return writer(shown)


def save_trace(trace: object, path: Path | str) -> None:
    """Write the trace to a file in the format that the file's ending names: .json, .npz or .html. Raises InputError for
    another ending."""
    file = destination(path, "a trace", ".json", ".npz", ".html")
    shown = [trace] if file.suffix == ".html" else trace  # a page takes several
    write_file(file, as_format(file.suffix.removeprefix("."), shown))


def destination(path: Any, saved: str, *endings: str) -> Path:
    """Return the path of a file to save to. Raises InputError for what is not a path, has none of the endings, or is
    a folder."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"the path is {path!r}; it must be a string or a pathlib.Path")
    path = Path(path)
    if path.suffix not in endings:
        accepted = " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
        raise InputError(f"{path} ends in {path.suffix!r}; {saved} is saved as {accepted}")
    if path.is_dir():
        raise InputError(f"{path} is a folder; {saved} is saved as a file")
    return path
