"""Files appear whole or not at all, and one process alone works on one."""

import subprocess
import sys
from pathlib import Path

import pytest

from model.files import alone, at_once
from tests.support.run_command import ROOT

HOLDS = "import sys; from pathlib import Path; from model.files import alone\nwith alone(Path(sys.argv[1])): print(1)"


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(tmp_path: Path) -> None:
    def fails(path: Path) -> None:
        path.write_text("half")
        raise OSError("full")

    (tmp_path / "card").write_text("whole")
    with pytest.raises(OSError, match="full"):
        at_once(tmp_path / "card", fails)
    assert (tmp_path / "card").read_text() == "whole"


def test_two_processes_never_work_on_one_file(tmp_path: Path) -> None:
    def another() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", HOLDS, str(tmp_path / "run" / "state")]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    with alone(tmp_path / "run" / "state"):
        assert "another training writes it now" in another().stderr
    assert another().stdout == "1\n"
    assert [*(tmp_path / "run").iterdir()] == []
