from pathlib import Path

import pytest

from benchmarks.server import ROOT
from regard.app.models import records

BROKEN = [b"", b"{", b"[]", b"[1, 2]", b"null", b"7", b'"format"', b"\xff"]


@pytest.mark.parametrize("content", BROKEN)
@pytest.mark.parametrize("name", ["scores.json", "training.json", "history.csv"])
def test_a_broken_record_counts_as_missing(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert records.scores(tmp_path) == records.training(tmp_path) == {}
    assert records.history(tmp_path) == []


def test_the_records_of_the_shipped_models_are_whole(caplog: pytest.LogCaptureFixture) -> None:
    folders = [path.parent for path in (ROOT / "pretrained").glob("*/config.json")]
    assert folders
    for folder in folders:
        assert records.scores(folder)
        assert records.training(folder)
        assert records.history(folder)
        assert records.card(folder)
    assert caplog.text == ""
