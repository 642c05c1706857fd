"""The translator process: a second interpreter, in which a busy server translates with its default model.

Python runs one thread at a time, so that visitors of one process wait while another's sentence is translated. A server
without room to spare for seconds starts this process (`python -m regard.app.models.translator_process FOLDER SECONDS`)
and does only the page's work from then on. Tokens go there and traces come back through a socket. While the process
does not answer, the server translates by itself.
"""

import atexit
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from socket import socketpair
from threading import Lock
from typing import NamedTuple

import torch

import regard
from regard.app.server.room import room, translator_process_allowed
from regard.model.checkpoint import AnyModel
from regard.model.tokenizer import Encoding
from regard.model.trace import AnyTrace, Maker
from regard.model.tracing import maker
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import translate_encoded

CODE = Path(regard.__file__).parents[1]  # the folder with `regard`
PATIENCE = 5.0  # seconds to wait for a trace; the longest sentence takes a tenth of that
BUSY = 3.0  # seconds without room to spare after which it starts
PAUSE = 60.0  # seconds between the end of a process and the start of the next
IDLE = 300.0  # seconds without a sentence after which it ends, to free 300 MB
NOWHERE = Maker("", "", "", "", "", ())  # the maker of a trace that travels: the server puts its own there


class Timed(NamedTuple):
    """A trace and the seconds its computation took."""

    trace: AnyTrace
    seconds: float


def timed(model: AnyModel, source: Encoding) -> Timed:
    began = time.perf_counter()
    (trace,) = translate_encoded(model, [source])
    return Timed(trace, time.perf_counter() - began)


@dataclass
class TranslatorProcess:
    """The server's end, thread-safe. `busy` returns True while the server has no room to spare."""

    busy: Callable[[], bool]
    patience: float = PATIENCE
    idle: float = IDLE
    clock: Callable[[], float] = time.monotonic
    process: subprocess.Popen[bytes] | None = None
    weights: str = ""  # fingerprint of the model that it has loaded
    _connection: Connection | None = None
    _busy_since: float = math.inf
    _ended: float = -PAUSE
    _asking: Lock = field(default_factory=Lock)

    def translate(self, model: AnyModel, source: Encoding) -> Timed:
        """Translate a sentence, in the process if it is ready."""
        if self._connection and (found := self._ask(model, source)):
            return found
        self._busy_since = min(self._busy_since, self.clock()) if self.busy() else math.inf
        if self.clock() - self._busy_since >= BUSY:
            self.start(model)
        return timed(model, source)

    def start(self, model: AnyModel) -> None:
        """Start the process, unless it is there or ended less than `PAUSE` ago; it is ready seconds later."""
        with self._asking, suppress(OSError):  # no memory, no process
            if self._connection is None and self.clock() - self._ended >= PAUSE:
                self._ended = self.clock()
                ours, theirs = socketpair()
                with theirs:
                    self.process = subprocess.Popen(
                        [sys.executable, "-m", "regard.app.models.translator_process", model.folder, str(self.idle)],
                        stdin=theirs.fileno(),
                        cwd=CODE,
                        start_new_session=True,  # Ctrl-C in the terminal is meant for the server alone
                    )
                self._connection = Connection(ours.detach())

    def close(self) -> None:
        """End the process and wait for it."""
        with self._asking:
            self._end()

    def _ask(self, model: AnyModel, source: Encoding) -> Timed | None:
        """Return the answer of the process, or None if there is none."""
        with self._asking:
            with suppress(EOFError, OSError):
                if not (self._connection and self._has(self._connection, model)):
                    return None
                self._connection.send(source)
                if self._connection.poll(self.patience):
                    trace, seconds = self._connection.recv()
                    return Timed(replace(trace, maker=maker(model)), seconds)
            self._end()
        return None

    def _has(self, connection: Connection, model: AnyModel) -> bool:
        """Return True if it has loaded this model; the files of either may have been replaced since."""
        if not self.weights and connection.poll():
            self.weights = connection.recv()
        return self.weights == model.fingerprint

    def _end(self) -> None:
        if self._connection and self.process:
            self._connection.close()
            self.process.kill()
            self.process.wait()
        self.process, self._connection, self.weights, self._ended = None, None, "", self.clock()


translator_process = TranslatorProcess(lambda: translator_process_allowed() and not room.is_free())  # the only one
atexit.register(translator_process.close)


def main(folder: str, idle: str) -> None:
    """Answer the server at the other end of standard input until it has ended, or is silent for `idle` seconds."""
    torch.set_num_threads(1)
    model = load_any(folder)
    with Connection(os.dup(0)) as server, suppress(EOFError, ConnectionError):
        timed(model, model.tokenizer.encode("Hello.", model.tokenizer.languages[0]))  # the first takes longer
        server.send(model.fingerprint)
        while server.poll(float(idle)):
            trace, seconds = timed(model, server.recv())
            server.send((replace(trace, maker=NOWHERE), seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
