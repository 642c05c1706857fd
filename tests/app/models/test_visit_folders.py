import time
from pathlib import Path

import pytest

from regard.app.models import visit_folders
from regard.app.models.visit_folders import FULL_OF_ADDRESS, FULL_OF_ONE, MOST, MOST_OF_ONE, VisitFolders
from regard.app.server.visits import Visitor, share
from tests.support.short_trainings import wait_for

PATIENCE = 120.0


@pytest.fixture
def connected() -> set[str]:
    """Sessions that have a connection."""
    return {"anne", "ben"}


@pytest.fixture
def kept(tmp_path: Path, connected: set[str], monkeypatch: pytest.MonkeyPatch) -> VisitFolders:
    monkeypatch.setattr(visit_folders, "TICK", 1000.0)  # the test sweeps
    return VisitFolders(tmp_path, connected.__contains__, PATIENCE)


def bring(kept: VisitFolders, name: str, session: str) -> Path:
    folder = kept.keep(name, Visitor(session))
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    return folder


def test_a_folder_goes_when_its_visitor_has_been_away_for_long_enough(kept: VisitFolders, connected: set[str]) -> None:
    annes, bens = bring(kept, "a", "anne"), bring(kept, "b", "ben")
    connected.remove("anne")
    left = time.monotonic()
    kept.sweep(left + PATIENCE - 1)
    assert annes.exists()
    kept.sweep(left + PATIENCE + 1)
    assert not annes.exists()
    assert bens.exists()


def test_what_belongs_to_nobody_is_swept_away(kept: VisitFolders, tmp_path: Path) -> None:
    mine = bring(kept, "a", "anne")
    (tmp_path / "left").mkdir()
    kept.sweep(time.monotonic())
    assert list(tmp_path.iterdir()) == [mine]


def test_what_is_released_is_deleted_and_makes_room(kept: VisitFolders) -> None:
    folders = [bring(kept, str(number), "anne") for number in range(MOST_OF_ONE)]
    with pytest.raises(ValueError, match=FULL_OF_ONE):
        kept.keep("more", Visitor("anne"))
    kept.release(folders[0])
    assert not folders[0].exists()
    assert not bring(kept, "more", "anne").samefile(folders[1])


def test_six_visits_from_one_address_leave_room_for_others(kept: VisitFolders) -> None:
    visits = [Visitor(f"visit {number // MOST_OF_ONE}", "192.0.2.1") for number in range(share(MOST))]
    for number, visit in enumerate(visits):
        kept.keep(str(number), visit)
    with pytest.raises(ValueError, match=FULL_OF_ADDRESS):
        kept.keep("more", Visitor("another visit", "192.0.2.1"))
    kept.keep("another's", Visitor("ben", "192.0.2.2"))


def test_the_server_looks_by_itself(tmp_path: Path, connected: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit_folders, "TICK", 0.01)
    kept = VisitFolders(tmp_path, connected.__contains__, 0.02)
    for name in ("a", "again"):  # it begins anew
        connected.add("anne")
        folder = bring(kept, name, "anne")
        connected.remove("anne")
        wait_for(lambda folder=folder: not folder.exists())
