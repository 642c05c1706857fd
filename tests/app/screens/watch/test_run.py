import io
import zipfile
from pathlib import Path

import pytest

from regard.app.models.visit_folders import MOST_OF_ONE, VisitFolders
from regard.app.screens.watch import run
from regard.app.screens.watch.run import zipped
from regard.app.server.visits import Visitor
from regard.model.synthetic.setup import Setup


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put opened results into a temporary folder of one visitor."""
    visit_folders = VisitFolders(tmp_path / "own", lambda session: True, 60.0)
    monkeypatch.setattr(run, "visit_folders", lambda: visit_folders)
    monkeypatch.setattr(run, "visitor", lambda: Visitor("anne"))
    monkeypatch.setattr(run.st, "session_state", {})


def test_a_run_that_is_gone_is_told_and_leaves_the_place_free(tmp_path: Path) -> None:
    for _ in range(MOST_OF_ONE + 1):
        with pytest.raises(ValueError, match="the run has expired"):
            run.kept(tmp_path / "gone", Setup())
    with zipfile.ZipFile(io.BytesIO(zipped(tmp_path / "gone", "reverse-dot"))) as archive:
        assert archive.namelist() == ["reverse-dot.txt"]


def test_a_full_disk_is_told_when_a_model_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*folders: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run.shutil, "copytree", full)
    with pytest.raises(ValueError, match="because its disk is full"):
        run.kept(tmp_path, Setup())
