import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVER = """
import sys
from regard.app.models import temporary
temporary.clear()
temporary.make(temporary.root() / "run")
print(temporary.root(), flush=True)
sys.stdin.readline()
"""


@contextmanager
def server(place: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process with such a folder, and the folder."""
    environment = os.environ | {"TMPDIR": str(place)}
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout
        yield process, Path(process.stdout.readline().strip())


def test_nobody_else_may_read_it_and_it_goes_with_the_server(tmp_path: Path) -> None:
    with server(tmp_path) as (process, folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.name.startswith(f"regard-{process.pid}-")
        assert (folder / "run").is_dir()
    assert not list(tmp_path.iterdir())


def test_what_a_killed_server_left_is_removed_by_the_next(tmp_path: Path) -> None:
    with server(tmp_path) as (killed, left):
        killed.send_signal(signal.SIGKILL)
    assert left.is_dir()
    with server(tmp_path) as (_, folder):
        assert list(tmp_path.iterdir()) == [folder]


def test_what_others_have_there_stays(tmp_path: Path) -> None:
    names = ["regard-notes", "regard-0-a", "regard-9999999999-x", "regard-99999999999-a", f"regard-{os.getpid()}-abc"]
    for name in names:
        (tmp_path / name).mkdir()
    with server(tmp_path):
        assert {path.name for path in tmp_path.iterdir()} > set(names)
