"""The real server in a process of its own, for benchmarks and tests."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATIENCE = 120.0  # seconds to wait for a server's first answer
PORT = "{port}"  # replaced in the command by the port's number
STREAMLIT = (
    sys.executable, "-m", "streamlit", "run", "app/main.py",
    "--server.headless=true", "--server.address=127.0.0.1", f"--server.port={PORT}",
)  # fmt: skip


@dataclass(frozen=True)
class Served:
    """A running server: `seconds` passed from its start to its first answer; `log` is the file of its output."""

    url: str
    process: int
    seconds: float
    log: Path


@contextmanager
def serve(
    command: Sequence[str] = STREAMLIT, folder: Path = ROOT, environment: Sequence[tuple[str, str]] = ()
) -> Iterator[Served]:
    """Start the app on a free local port and stop it at the end. Raises RuntimeError with the server's output if it
    ends or does not answer."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    began = time.perf_counter()
    with tempfile.NamedTemporaryFile("w+") as log:
        process = subprocess.Popen(
            [part.replace(PORT, str(port)) for part in command],
            cwd=folder,
            env=os.environ | {"OMP_NUM_THREADS": "1"} | dict(environment),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            while not _answers(url):
                if process.poll() is not None or time.perf_counter() - began > PATIENCE:
                    log.seek(0)
                    raise RuntimeError(f"the server did not start:\n{log.read()}")
                time.sleep(0.02)
            yield Served(url, process.pid, time.perf_counter() - began, Path(log.name))
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False
