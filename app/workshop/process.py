"""The server's end of one worker process: it is told lines and says lines, JSON each (see worker.py)."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, cast

CODE = Path(__file__).parents[2]  # where `app` and `model` are
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Worker:
    """Start one from a thread that outlives it: Linux ends the worker with the thread that started it.

    `heard` gets what it says, `ended` its exit status, after which nothing may be told any more; both are called from a
    thread of this worker's own.
    """

    def __init__(
        self, order: dict[str, Any], heard: Callable[[dict[str, Any]], None], ended: Callable[[int], None]
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app.workshop.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=CODE,
            env=os.environ | ONE_THREAD,
            start_new_session=True,  # Ctrl-C on the server's terminal is for the server
        )
        self._told, self._says = cast(BinaryIO, self._process.stdin), cast(BinaryIO, self._process.stdout)
        os.set_blocking(self._told.fileno(), False)
        self.pid = self._process.pid
        self._heard, self._ended = heard, ended
        self._reader = Thread(target=self._read, name=f"worker {self.pid}", daemon=True)
        self._reader.start()
        self.tell(order)

    def tell(self, word: str | dict[str, Any]) -> None:
        """Never waits: what a worker cannot take, since it is dead or stands still, is lost."""
        with contextlib.suppress(OSError):
            os.write(self._told.fileno(), json.dumps(word).encode() + b"\n")

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        """Until it has ended and all that it said was heard."""
        self._reader.join()

    def _read(self) -> None:
        with self._process:
            for line in self._says:
                if line.endswith(b"\n"):  # or it was killed amid a word
                    self._heard(json.loads(line))
            self._ended(self._process.wait())
