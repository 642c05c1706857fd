"""The screen, and where what visitors bring is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.result_cache import forget_all
from regard.app.models.visit_folders import VisitFolders
from regard.app.screens.model_import import upload
from tests.support.screens import FRAME, switch_page


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    kept = VisitFolders(tmp_path, lambda _: True, 1000)
    monkeypatch.setattr(upload, "visit_folders", lambda: kept)
    forget_all()
    yield tmp_path
    forget_all()


@pytest.fixture
def screen(brought: Path) -> AppTest:
    return switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/model_import/screen.py").run()
