import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

from regard.model.files import alone, at_once, in_order, write_file
from tests.support.run_command import ROOT

HOLDS = """
import sys
from pathlib import Path
from regard.model.files import alone
with alone(Path(sys.argv[1])): print(1)
"""


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(tmp_path: Path) -> None:
    def fails(path: Path) -> None:
        path.write_text("half")
        raise OSError("full")

    (tmp_path / "card").write_text("whole")
    with pytest.raises(OSError, match="full"):
        at_once(tmp_path / "card", fails)
    assert (tmp_path / "card").read_text() == "whole"


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    (tmp_path / "card").write_text("earlier")
    monkeypatch.setattr(os, "fsync", lambda _: seen.append((tmp_path / "card").read_text()))
    at_once(tmp_path / "card", lambda path: path.write_text("later"))
    assert (seen, (tmp_path / "card").read_text()) == (["earlier"], "later")


def test_a_link_stays_one_and_a_pipe_is_written_into(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_file(tmp_path / "link", "é")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "é"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_file(tmp_path / "pipe", b"abc")
    assert os.read(reader, 9) == b"abc"
    os.close(reader)


def test_two_processes_never_work_on_one_file(tmp_path: Path) -> None:
    def another() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", HOLDS, str(tmp_path / "run" / "state")]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    with alone(tmp_path / "run" / "state"):
        assert "another training run is writing it" in another().stderr
    assert another().stdout == "1\n"
    assert [*(tmp_path / "run").iterdir()] == []


def test_metadata_in_order_leave_the_tensors_as_they_are() -> None:
    tensors, names = {"one": np.arange(7, dtype=np.float32)}, ["z", "é", "a", *map(str, range(20))]
    ordered = {in_order(save(tensors, {name: f"“{name}”" for name in some})) for some in (names, names[::-1])}
    assert len(ordered) == 1
    (content,) = ordered
    assert np.array_equal(load(content)["one"], tensors["one"])
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    assert list(header["__metadata__"].items()) == sorted((name, f"“{name}”") for name in names)
