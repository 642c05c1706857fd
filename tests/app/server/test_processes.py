"""Ports are read off the command line, and one that is none is told in a line before anything is started."""

import sys

import pytest

from regard.app.launch import main
from regard.app.server.processes import valid_port


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


def test_the_first_and_the_last_port_are_accepted() -> None:
    assert (valid_port("1"), valid_port("65535")) == (1, 65_535)
