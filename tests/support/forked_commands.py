"""Commands in processes of their own, forked from one that has PyTorch loaded, as loading it takes most of their time.

They are whole processes: they can be killed, and what they share with one another is on the disk alone.
"""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import ModuleType

from tqdm import tqdm

from regard.__main__ import main

os.environ["OMP_NUM_THREADS"] = "1"  # a process of one thread can be forked
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["torch._dynamo", "regard.model.commands.train", "regard.model.commands.practise", __name__]
)


class Forked:
    """A command that runs."""

    def __init__(self, *arguments: str) -> None:
        self._told = tempfile.NamedTemporaryFile("r", encoding="utf-8")  # noqa: SIM115
        self._process = FORKS.Process(target=_call, args=(arguments, self._told.name))
        settings: dict[str, str] = multiprocessing.current_process()._config  # type: ignore[attr-defined]
        if not Path(settings.get("tempdir", os.curdir)).is_dir():  # a scheduler of an earlier test removed its folder
            del settings["tempdir"]
        with _no_main_module():
            self._process.start()

    def poll(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        """SIGKILL: no chance to tidy up."""
        self._process.kill()

    def end(self, patience: float) -> tuple[int, str]:
        """Return its exit status and its output."""
        self._process.join(patience)
        assert self._process.exitcode is not None, "it has not ended yet"
        with self._told:
            return self._process.exitcode, self._told.read()


@contextmanager
def _no_main_module() -> Iterator[None]:
    """A fork would run the main module again, and a test of a screen leaves the screen's script there."""
    own = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    yield
    sys.modules["__main__"] = own


def _call(arguments: tuple[str, ...], told: str) -> None:
    for name, stream in ((os.devnull, sys.stdout), (told, sys.stderr)):
        with Path(name).open("w", encoding="utf-8") as file:
            os.dup2(file.fileno(), stream.fileno())
    tqdm.set_lock(RLock())  # its own one is for several processes, and is left behind by one that is killed
    sys.argv = ["regard", *arguments]
    sys.exit(main())
