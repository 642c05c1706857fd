import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

import regard
from benchmarks.server import ROOT
from regard.model.checkpoint import Pretrained
from regard.model.files import alone, in_order, write_file
from regard.model.trace import Trace
from tests.support.run_command import call

HOLDS = """
import sys
from pathlib import Path
from regard.model.files import alone
with alone(Path(sys.argv[1])): print(1)
"""


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


KINDS_SAVED: dict[str, Callable[[Trace, Path], object]] = {
    "a trace": lambda trace, path: trace.save(path),
    "any attention": lambda _, path: regard.show([[1.0]], ["I"], ["je"]).save(path),
}
COMMANDS = {
    "translate": ("I love you.", "--html"),
    "report": ("--source", "SOURCE", "--html"),
    "report, a table": ("--source", "SOURCE", "--tsv"),
    "export": ("--html",),
}


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file saved earlier, on a disk that takes half of what is written now; afterwards it is whole and alone."""

    def write(path: Path, content: bytes | str, **_: object) -> None:
        whole = content.encode() if isinstance(content, str) else content
        with path.open("wb") as file:
            file.write(whole[: len(whole) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    (tmp_path / "index.html").write_text("earlier", encoding="utf-8")
    monkeypatch.setattr(Path, "write_bytes", write)
    monkeypatch.setattr(Path, "write_text", write)
    yield tmp_path / "index.html"
    assert [*tmp_path.iterdir()] == [tmp_path / "index.html"]
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "earlier"


@pytest.mark.parametrize("name", KINDS_SAVED)
def test_what_python_saved_earlier_stays_whole(name: str, before: Trace, saved: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        KINDS_SAVED[name](before, saved)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_wrote_earlier_stays_whole(
    name: str, tiny_model: Pretrained, saved: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = tmp_path_factory.mktemp("text") / "a.en"
    with source.open("w", encoding="utf-8") as file:
        file.write("the cat\n")
    options = (str(source) if option == "SOURCE" else option for option in COMMANDS[name])
    status, _, told = call(name.partition(",")[0], "--model", str(tiny_model.folder), *options, str(saved))
    assert (status, f"{saved}: No space left on device" in told) == (1, True)
