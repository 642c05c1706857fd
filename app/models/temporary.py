"""The one folder on disk that a server writes to: training runs and what visitors bring.

Nobody else may read it. It goes when the server stops; a server that was killed leaves it, and the next one removes it.
"""

import atexit
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from threading import Lock

PREFIX = "regard-"
_making = Lock()
_NAME = re.compile(rf"{PREFIX}([1-9][0-9]{{0,9}})-\w+")


def root() -> Path:
    """This process's folder, made when it is first asked for, and once however many ask at the same time."""
    with _making:
        return _made()


@cache
def _made() -> Path:
    _remove_those_left()
    made = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    atexit.register(remove)
    return made


def remove() -> None:
    """Delete it with all that is in it."""
    with _making:
        if _made.cache_info().currsize:
            shutil.rmtree(_made(), ignore_errors=True)
            _made.cache_clear()


def _remove_those_left() -> None:
    """Folders of servers that are no more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = _NAME.fullmatch(folder.name)
        if owner and not _lives(int(owner[1])):
            shutil.rmtree(folder, ignore_errors=True)  # somebody else's stays


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # not ours to ask, or no process can be called so
        return True
    return True
