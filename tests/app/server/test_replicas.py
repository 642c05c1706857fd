"""`regard serve` with a stand-in for HAProxy that forwards nothing: what it starts, prints and ends is its own."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.server import ROOT
from regard.app.launch import main
from regard.app.models.temporary import PREFIX
from regard.app.server import replicas
from regard.app.server.processes import valid_port
from tests.support.short_trainings import wait_until_gone


@pytest.fixture
def haproxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name, and its folder: waits to be ended."""
    program = tmp_path / replicas.PROXY
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL], ids=["HUP", "KILL"])
def test_whatever_ends_it_ends_the_proxy_and_the_replicas(number: signal.Signals, haproxy: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]  # a free one
    asked = [sys.executable, "-m", "regard", "serve", "--replicas", "1", "--port", str(port), "--drain", "0"]
    with subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        assert command.stdout
        assert command.stdout.readline() == f"regard serve: 1 replica at http://127.0.0.1:{port}\n"
        family = Path(f"/proc/{command.pid}/task/{command.pid}/children").read_text().split()
        assert len(family) == 2
        command.send_signal(number)
    for process in family:
        wait_until_gone(int(process))
    if number != signal.SIGKILL:  # after which the next server clears it
        assert not [*haproxy.glob(f"{PREFIX}{command.pid}-*")]


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--replicas", "0", "--replicas must be from 1 to "),
        ("--replicas", "99999999", "--replicas must be from 1 to "),
        ("--drain", "-1", "must be a number of seconds, from 0 on, not -1"),
        ("--drain", "nan", "must be a number of seconds, from 0 on, not nan"),
        ("--certificate", "nowhere.pem", "--certificate: no file nowhere.pem"),
    ],
)
def test_what_no_machine_can_do_is_refused_at_once(
    option: str, value: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        replicas.main([option, value])
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("port", ["80000", "65536", "0", "-1", "", "1e3", "8501.0", "８５０１", "9" * 5000])
@pytest.mark.parametrize("command", [[], ["serve"]], ids=["alone", "serve"])
def test_what_is_no_port_is_refused_with_what_is_accepted(
    command: list[str], port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["regard", *command, f"--port={port}"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"regard: argument --port: {port!r} is not a port; it must be from 1 to 65,535 (--help tells more)"
    assert (valid_port("1"), valid_port("65535")) == (1, 65_535)
