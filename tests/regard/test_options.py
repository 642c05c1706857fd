import argparse
import subprocess
import sys

import pytest

import regard
from benchmarks.server import ROOT
from regard.__main__ import COMMANDS, main
from tests.support.run_command import call

INTERRUPTED = """
import os, runpy, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy.linalg":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job is started without it
sys.meta_path.insert(0, Interrupt())
runpy.run_module("regard", run_name="__main__")
"""  # `regard`, with Ctrl+C while NumPy is imported


class AskedError(Exception):
    """Carries the parser of a command out of it."""


def parser(command: str) -> argparse.ArgumentParser:
    def stop(self: argparse.ArgumentParser, *_: object) -> None:
        raise AskedError(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "parse_args", stop)
        patch.setattr(sys, "argv", ["regard", *([command] if command else [])])
        with pytest.raises(AskedError) as asked:
            main()
    found = asked.value.args[0]
    chosen = [action for action in found._actions if isinstance(action, argparse._SubParsersAction)]
    return chosen[0].choices[command] if chosen else found


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_option_has_help_and_its_default(command: str) -> None:
    described = parser(command)
    assert len(described._actions) > 1
    for option in described._actions:
        told = described._get_formatter()._expand_help(option) if option.help else ""
        assert told, option
        if option.default not in (None, False, [], argparse.SUPPRESS):
            value = str(option.default).removesuffix(".0")
            assert "default" in told or value in told, f"{option.option_strings}: {told}"


def test_the_version_is_told() -> None:
    assert call("--version")[:2] == (0, f"regard {regard.__version__}\n".encode())


@pytest.mark.parametrize("command", ["train", "report", "card"])
def test_ctrl_c_while_numpy_is_imported_is_not_lost_in_pytorch(command: str) -> None:
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED, command], capture_output=True, cwd=ROOT, check=False)
    assert (ended.returncode, ended.stderr) == (130, b"")
