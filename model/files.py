"""Files that appear whole or not at all, and that one process alone works on."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from regard.model.input_error import InputError


def at_once(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file that appears whole or not at all, and is on the disk when this ends. OSError names the file."""
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


def check_writable(folder: Path) -> None:
    """Find out before long work, rather than after it, where nothing can be written. Raises InputError."""
    if not os.access(folder, os.W_OK):
        raise InputError(f"{folder}: no file can be written there")


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a file that is there or will be, while this lasts. Raises InputError where another process holds it.

    The lock is the system's and goes with the process, however that ends; Windows has none of this kind.
    """
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
                raise BlockingIOError  # who held it has just taken it away, and somebody else may hold a new one
        except BlockingIOError as error:
            raise InputError(
                f"{path}: another training writes it now; wait for its end, or name another --out"
            ) from error
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
