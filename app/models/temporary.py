"""The one folder on disk that a server writes to: training runs and what visitors bring.

Nobody else may read it. It goes when the server stops; a server that was killed leaves it, and the next one removes it
when it starts. Where it is deleted meanwhile, it is made again when something is to be written.
"""

import atexit
import os
import re
import secrets
import shutil
import tempfile
from functools import cache
from pathlib import Path
from threading import Lock

PREFIX = "regard-"
PRIVATE = 0o700
SECRET = 8  # bytes: too many for somebody else to make a folder of this name before
_naming = Lock()
_NAME = re.compile(rf"{PREFIX}([1-9][0-9]{{0,9}})-\w+")


def root() -> Path:
    """This process's folder, the same for all who ask; it is there once something in it was made."""
    with _naming:
        return _named()


@cache
def _named() -> Path:
    atexit.register(remove)
    return _place() / f"{PREFIX}{os.getpid()}-{secrets.token_hex(SECRET)}"


def make(folder: Path) -> None:
    """Make a folder, and those above it that are missing. Raises OSError where that cannot be."""
    for missing in [path for path in (*reversed(folder.parents), folder) if not path.is_dir()]:
        missing.mkdir(mode=PRIVATE, exist_ok=True)


def remove() -> None:
    """Delete it with all that is in it."""
    shutil.rmtree(root(), ignore_errors=True)


def clear() -> None:
    """Delete the folders of servers that are no more; one that was called as this process is is no more either."""
    for folder in _place().glob(f"{PREFIX}*"):
        owner = _NAME.fullmatch(folder.name)
        if owner and folder != root() and not _lives(int(owner[1])):
            shutil.rmtree(folder, ignore_errors=True)  # somebody else's stays


def _place() -> Path:
    """The machine's temporary directory; where nothing can be written to any, writing will tell."""
    try:
        return Path(tempfile.gettempdir())
    except OSError:
        return Path(os.sep, "tmp")


def _lives(process: int) -> bool:
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # not ours to ask, or no process can be called so
        return True
    return True
