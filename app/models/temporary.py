"""The single folder on disk that a server writes to: training runs and visitors' models.

Nobody else may read it. It is removed when the server stops; a killed server leaves it, and the next one removes it
when it starts. If it is deleted meanwhile, it is recreated when needed.
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
SECRET = 8  # bytes: too many for anybody to create a folder of this name in advance
_naming = Lock()
_NAME = re.compile(rf"{PREFIX}([1-9][0-9]{{0,9}})-\w+")


def root() -> Path:
    """Return this process's folder, the same for all callers; it exists once something in it was made."""
    with _naming:
        return _named()


@cache
def _named() -> Path:
    atexit.register(remove)
    return Path(tempfile.gettempdir()) / f"{PREFIX}{os.getpid()}-{secrets.token_hex(SECRET)}"


def make(folder: Path) -> None:
    """Make a folder and its missing parents. Raises OSError if that fails."""
    for missing in [path for path in (*reversed(folder.parents), folder) if not path.is_dir()]:
        missing.mkdir(mode=PRIVATE, exist_ok=True)


def remove() -> None:
    """Delete the folder with all its contents."""
    shutil.rmtree(root(), ignore_errors=True)


def clear() -> None:
    """Delete the folders of servers that have ended, including an ended one with this process's id."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = _NAME.fullmatch(folder.name)
        if owner and folder != root() and not _is_running(int(owner[1])):
            shutil.rmtree(folder, ignore_errors=True)  # another user's folder stays


def _is_running(process: int) -> bool:
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's process, or an impossible id
        return True
    return True
