from pathlib import Path

import pytest

from benchmarks.server import ROOT
from regard.model.input_error import InputError
from regard.pretrained.recipe.__main__ import main
from regard.pretrained.recipe.readme_tables import MARKERS, TASK_MARKERS, model_table, task_rows, update_table
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


def test_models_of_numbers_are_left_out_where_the_readme_has_no_place_for_them(folder: Path, tmp_path: Path) -> None:
    readme, tasks = tmp_path / "README.md", ROOT / "pretrained" / "reverse-gru"
    readme.write_text(f"before\n{MARKERS[0]}\nold\n{MARKERS[1]}\nafter é\n", encoding="utf-8")
    update_table(readme, [folder, tasks])
    table = f"before\n{MARKERS[0]}\n{model_table([folder])}\n{MARKERS[1]}\nafter é\n"
    assert readme.read_text(encoding="utf-8") == table
    readme.write_text(f"{table}{TASK_MARKERS[0]}\n{TASK_MARKERS[1]}\n", encoding="utf-8")
    update_table(readme, [folder, tasks])
    assert readme.read_text(encoding="utf-8") == f"{table}{TASK_MARKERS[0]}\n{task_rows([tasks])}\n{TASK_MARKERS[1]}\n"


@pytest.mark.parametrize(("content", "told"), [(b"nothing\n", "it has no line"), (b"\xff", "not UTF-8")])
def test_a_readme_without_markers_or_in_another_encoding_is_refused(
    content: bytes, told: str, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_bytes(content)
    with pytest.raises(InputError, match=told):
        update_table(tmp_path / "README.md", [folder])
    assert (tmp_path / "README.md").read_bytes() == content


def test_without_models_the_tables_stay_as_they_are(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKERS[0]}\n| one |\n{MARKERS[1]}\n")
    status, _, error = call("readme", str(readme), "--pretrained", str(tmp_path), program=main)
    assert (status, "no model there has a scores.json; the tables stay as they are" in error) == (1, True)
    assert readme.read_text() == f"{MARKERS[0]}\n| one |\n{MARKERS[1]}\n"
