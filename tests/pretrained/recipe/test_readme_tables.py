from pathlib import Path

import pytest

from benchmarks.server import ROOT
from regard.model.input_error import InputError
from regard.pretrained.recipe.__main__ import main
from regard.pretrained.recipe.readme_tables import update_table
from tests.support.model_records import recorded_model
from tests.support.run_command import call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return recorded_model(tmp_path)


def test_the_tables_of_the_readme_are_those_of_the_records(tmp_path: Path) -> None:
    readme, written = tmp_path / "README.md", (ROOT / "README.md").read_text(encoding="utf-8")
    readme.write_text(written, encoding="utf-8")
    status, _, error = call("readme", str(readme), program=main)
    assert (status, error) == (0, f"{readme}: models in the tables: 12\n")
    assert readme.read_text(encoding="utf-8") == written


@pytest.mark.parametrize(("content", "told"), [(b"nothing\n", "it has no line"), (b"\xff", "not UTF-8")])
def test_a_readme_without_markers_or_in_another_encoding_is_refused(
    content: bytes, told: str, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_bytes(content)
    with pytest.raises(InputError, match=told):
        update_table(tmp_path / "README.md", [folder])
    assert (tmp_path / "README.md").read_bytes() == content
