"""Atomic writing of files, and locks that keep a file to one process."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from regard.model.input_error import InputError


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
