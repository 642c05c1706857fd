"""Several replicas of the server behind HAProxy: `regard serve --replicas N`.

A replica is a process with its own models in memory, so that two of them use two cores. The proxy gives each visitor a
cookie and routes them to the same replica; data that only one replica holds is lost with it, and `draining` tells
visitors so.
"""

import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from string import Template
from types import FrameType

from regard.app.server.processes import check_free, end_with, valid_port
from regard.app.wording import counted
from regard.model.input_error import OneLineParser

HERE = Path(__file__).parent
PROXY = "haproxy"
MOST_REPLICAS = 64  # on a machine of fewer cores
MISSING = "regard serve: no haproxy here; most systems have a package of it. Without it `regard` serves one process."
DRAIN = 10.0  # seconds between telling visitors and stopping
PATIENCE = 120.0  # seconds after which a replica that does not answer is given up
TICK = 0.5


COMPOSE = (  # for deploy/haproxy.cfg: up to ten containers of the service `app`, found through Docker's DNS
    "*:8501",
    ("server-template replica 10 app:8501 resolvers docker init-addr none",),
    "\nresolvers docker\n    nameserver docker 127.0.0.11:53\n",
)


def configuration(bind: str, servers: Sequence[str], resolvers: str = "") -> str:
    """Return HAProxy's configuration for an address to listen on and lines that name the replicas."""
    lines = "\n".join(f"    {server}" for server in servers)
    template = Template((HERE / "haproxy.cfg").read_text(encoding="utf-8"))
    return template.substitute(bind=bind, servers=lines, resolvers=resolvers)


def main(arguments: Sequence[str]) -> None:
    """Serve until SIGTERM, SIGHUP or Ctrl+C; then tell the visitors, wait, and stop. Another signal stops at once."""
    parser = OneLineParser(
        prog="regard serve", description="Serve the app from several processes behind a proxy, HAProxy."
    )
    about = "processes (default: one for each core)"
    parser.add_argument("--replicas", type=int, default=os.cpu_count() or 1, help=about)
    parser.add_argument("--port", type=valid_port, default=8501, help="port of the proxy (%(default)s)")
    parser.add_argument("--address", default="127.0.0.1", help="address; 0.0.0.0 lets others in (%(default)s)")
    parser.add_argument("--certificate", type=Path, metavar="PEM", help="certificate and key in one file, for TLS")
    about = "seconds from a signal to the end (%(default)g)"
    parser.add_argument("--drain", type=float, default=DRAIN, metavar="S", help=about)
    chosen = parser.parse_args(arguments)
    most = max(MOST_REPLICAS, os.cpu_count() or 1)
    if not 1 <= chosen.replicas <= most:
        parser.error(f"--replicas must be from 1 to {most}")
    if not 0 <= chosen.drain < math.inf:
        parser.error(f"--drain must be a number of seconds, from 0 on, not {chosen.drain:g}")
    if chosen.certificate and not chosen.certificate.is_file():
        parser.error(f"--certificate: no file {chosen.certificate}")
    if not shutil.which(PROXY):
        sys.exit(MISSING)
    check_free(chosen.address, chosen.port)
    host = f"[{chosen.address}]" if ":" in chosen.address else chosen.address
    bind, scheme = f"{host}:{chosen.port}", "http"
    if chosen.certificate:
        bind, scheme = f"{bind} ssl crt {chosen.certificate.absolute()}", "https"
    ports = [_free_port() for _ in range(chosen.replicas)]
    with tempfile.TemporaryDirectory(prefix=f"regard-{os.getpid()}-") as folder:  # `temporary.clear` knows the name
        Service(bind, f"{scheme}://{host}:{chosen.port}", ports, Path(folder), chosen.drain).run()


@dataclass
class Service:
    """The proxy and its replicas; a replica that ends by itself is restarted."""

    bind: str
    url: str
    ports: Sequence[int]
    folder: Path
    drain: float
    processes: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)  # by port
    stopping: int = 0  # signals received

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        for port in self.ports:
            self.processes[port] = replica(port)
        if not all(self._answers_soon(port) for port in self.ports):
            self._stop()
            sys.exit(1 if self.stopping else "regard serve: a replica did not start; `regard` alone says why")
        config = self.folder / "haproxy.cfg"
        servers = [f"server replica{place} 127.0.0.1:{port}" for place, port in enumerate(self.ports, 1)]
        config.write_text(configuration(self.bind, servers), encoding="utf-8")
        proxy = child([PROXY, "-db", "-q", "-f", str(config)])
        print(f"regard serve: {counted(len(self.ports), 'replica')} at {self.url}", flush=True)
        while not self.stopping and proxy.poll() is None:
            self._start_again()
            time.sleep(TICK)
        if self.stopping:
            self._tell()
        self._stop()
        proxy.terminate()
        proxy.wait()
        if not self.stopping:
            sys.exit(f"regard serve: haproxy ended with {proxy.returncode}")

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.stopping += 1

    def _start_again(self) -> None:
        for port, process in self.processes.items():
            if process.poll() is not None:
                print(
                    f"regard serve: the replica on {port} ended with {process.returncode}; another starts", flush=True
                )
                self.processes[port] = replica(port)

    def _answers_soon(self, port: int) -> bool:
        until = time.monotonic() + PATIENCE
        while self.processes[port].poll() is None and time.monotonic() < until and not self.stopping:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                    return True
            except OSError:
                time.sleep(0.1)
        return False

    def _tell(self) -> None:
        """Have the replicas tell their visitors; newcomers are not served, because all replicas stop."""
        for process in self.processes.values():
            process.send_signal(signal.SIGUSR1)
        until = time.monotonic() + self.drain
        while self.stopping == 1 and time.monotonic() < until:
            time.sleep(0.1)

    def _stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait()


def replica(port: int) -> subprocess.Popen[bytes]:
    """Start a process, reachable only from this machine; the address that it prints is not the one to open."""
    script = str(HERE.parent / "main.py")
    settings = (f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true")
    command = [sys.executable, "-m", "streamlit", "run", script, *settings]
    os.environ.setdefault("REGARD_TRANSLATOR_PROCESS", "no")  # replicas share the cores already
    return child(command, subprocess.DEVNULL)


def child(command: Sequence[str], output: int | None = None) -> subprocess.Popen[bytes]:
    """Start a process that Ctrl+C in the terminal does not reach, and that ends with this one."""
    last = partial(end_with, os.getpid(), signal.SIGTERM)
    return subprocess.Popen(
        command,
        stdout=output,
        start_new_session=True,
        preexec_fn=last,  # noqa: PLW1509 - no other thread runs
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]
