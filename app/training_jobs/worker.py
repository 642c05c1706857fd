"""A process that trains for a visitor, forked by forkserver.py. It reads and writes lines of JSON.

The first line is {"folder": ..., "setups": [...], "done": [...], "paused": false}; it is not passed as arguments,
because a job's folder is its secret name, which a list of processes must not show. Then any of status.COMMANDS, or
"leave": stop, but write no model. It writes {"state": "running"}, {"run": 0, "note": ...}, {"run": 0, "look": ...},
{"run": 0, "model": folder}, {"run": 0, "finished": why} and {"failed": why}. Checkpoints and models lie in the folder.
It ends with its server: when its input closes, and on Linux when the process that forked it is gone.
"""

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from regard.app.server.orphans import end_with
from regard.app.training_jobs.training_loop import TrainingLoop
from regard.model.input_error import InputError

WIDEST = 300  # characters of a reason


def main(fork_server: int) -> None:
    """Run a forked worker, whose standard input and output are its own. Does not return."""
    end_with(fork_server)
    os.umask(0o077)  # a deleted folder is recreated, and nobody else may read it
    say = _speaker()
    orders = sys.stdin.buffer
    order = json.loads(orders.readline())
    commands: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(orders, commands), daemon=True).start()
    os._exit(_work(order, commands, say))  # the listener would delay an orderly exit


def _speaker() -> Callable[[dict[str, Any]], None]:
    """Reserve standard output for messages; anything else that is printed goes to standard error."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return lambda said: print(json.dumps(said), file=out)


def _listen(orders: BinaryIO, commands: "SimpleQueue[str]") -> None:
    for line in orders:
        commands.put(json.loads(line))
    os._exit(1)  # the server has ended


def _work(order: dict[str, Any], commands: "SimpleQueue[str]", say: Callable[[dict[str, Any]], None]) -> int:
    """Train and return the exit status."""
    try:
        TrainingLoop(Path(order["folder"]), order["setups"], order["done"], say).work(commands, order["paused"])
    except Exception as error:
        reason = _reason(error, order["folder"])
        expected = isinstance(error, OSError | InputError)
        logged = f"a training ended: {reason}\n" if expected else traceback.format_exc()
        sys.stderr.write(logged.replace(order["folder"], "FOLDER"))  # the server's log must not contain its name
        say({"failed": reason})
        return 1
    return 0


def _reason(error: Exception, folder: str) -> str:
    """Return the reason for the visitor, without the server's paths."""
    if isinstance(error, OSError):
        return f"What it learned could not be saved: {error.strerror}."
    told = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    return " ".join(told.replace(f"{folder}/", "").split())[:WIDEST]
