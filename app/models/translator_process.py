"""The translator process: a second interpreter, in which a busy server translates with its default model.

Python runs one thread at a time, so that visitors of one process wait while another's sentence is translated. A server
that is busy for seconds starts this process (`python -m regard.app.models.translator_process FOLDER`) and does
only the page's work from then on. Tokens go there and traces come back through a socket. While the process does not
answer, the server translates by itself.
"""

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

import torch

import regard
from regard.app.server.processes import CORES, room
from regard.model.checkpoint import AnyModel
from regard.model.tokenizer import Encoding
from regard.model.trace import AnyTrace, Maker
from regard.model.tracing import maker
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import translate_encoded

SETTING = "REGARD_TRANSLATOR_PROCESS"  # "no" forbids it
CODE = Path(regard.__file__).parents[1]  # the folder with `regard`
BUSY = 3.0  # seconds without room to spare after which it starts
PATIENCE = 5.0  # seconds to wait for a trace; the longest sentence takes a tenth of that
IDLE = 300.0  # seconds without a sentence after which it ends, to free 240 MB
NOWHERE = Maker("", "", "", "", "", ())  # the maker of a trace that travels: the server puts its own there

Timed = tuple[AnyTrace, float]  # with the seconds its computation took


def timed(model: AnyModel, source: Encoding) -> Timed:
    began = time.perf_counter()
    (trace,) = translate_encoded(model, [source])
    return trace, time.perf_counter() - began


@dataclass
class TranslatorProcess:
    """The server's end, thread-safe. `busy` returns True while the server is."""

    busy: Callable[[], bool]
    patience: float = PATIENCE
    clock: Callable[[], float] = time.monotonic
    process: subprocess.Popen[bytes] | None = None
    weights: str = ""  # fingerprint of the model that it has loaded
    _connection: Connection | None = None
    _busy_since: float = math.inf
    _asking: Lock = field(default_factory=Lock)

    def translate(self, model: AnyModel, source: Encoding) -> Timed:
        """Translate a sentence, in the process if it is ready."""
        with self._asking:
            if self._connection and (found := self._ask(self._connection, model, source)):
                return found
            self._busy_since = min(self._busy_since, self.clock()) if self.busy() else math.inf
            if not self._connection and self.clock() - self._busy_since >= BUSY:
                with suppress(OSError):  # no memory, no process
                    self.start(model)
        return timed(model, source)

    def start(self, model: AnyModel) -> None:
        """Start the process; it is ready seconds later, and ends when the server's end of the socket is closed."""
        ours, theirs = socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "regard.app.models.translator_process", model.folder],
                stdin=theirs.fileno(),
                cwd=CODE,
                start_new_session=True,  # Ctrl-C in the terminal is meant for the server alone
            )
        self._connection = Connection(ours.detach())

    def close(self) -> None:
        """End the process and wait for it."""
        if self._connection and self.process:
            self._connection.close()
            self.process.kill()
            self.process.wait()
        self.process, self._connection, self.weights, self._busy_since = None, None, "", math.inf

    def _ask(self, connection: Connection, model: AnyModel, source: Encoding) -> Timed | None:
        """Return the answer of the process, or None if it is not ready, has loaded other files or does not answer."""
        with suppress(EOFError, OSError):
            if not self.weights and connection.poll():
                self.weights = connection.recv()
            if self.weights != model.fingerprint:
                return None
            connection.send(source)
            if connection.poll(self.patience):
                trace, seconds = connection.recv()
                return replace(trace, maker=maker(model)), seconds
        self.close()
        return None


translator_process = TranslatorProcess(
    lambda: CORES > 1 and os.environ.get(SETTING) != "no" and hasattr(os, "fork") and not room.is_free()
)  # the server's only one


def main(folder: str) -> None:
    """Answer the server at the other end of standard input until it has ended or is silent for `IDLE` seconds."""
    torch.set_num_threads(1)
    model = load_any(folder)
    with Connection(os.dup(0)) as server, suppress(EOFError, ConnectionError):
        timed(model, model.tokenizer.encode("Hello.", model.tokenizer.languages[0]))  # the first takes longer
        server.send(model.fingerprint)
        while server.poll(IDLE):
            trace, seconds = timed(model, server.recv())
            server.send((replace(trace, maker=NOWHERE), seconds))


if __name__ == "__main__":
    main(sys.argv[1])
