import json
from pathlib import Path

import pytest

from regard.model.cards.readme_tables import MARKERS, TASK_MARKERS, model_table, update_table
from regard.model.input_error import InputError
from tests.support.model_records import CONFIG, newer, scores
from tests.support.run_command import call


def test_the_table_has_a_row_for_each_model(folder: Path) -> None:
    other = folder.with_name("other")
    other.mkdir()
    (other / "config.json").write_text(json.dumps({**CONFIG, "score": "dot", "input_feeding": True}))
    untested = scores()
    untested["tests"] = {}
    del untested["alignments"]
    (folder / "scores.json").write_text(json.dumps(newer()))
    (other / "scores.json").write_text(json.dumps(untested))
    assert model_table([folder, other]).splitlines() == [
        "| model | score | wiring | cell | parameters | size | ms per sentence | typed first | BLEU held-out | "
        "AER: weights / posterior / with jumps |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| [one](pretrained/one/README.md) | general | luong | lstm | 7.2 M | 14.5 MB | 29 | 75% | 41.2 / 43.0 | "
        "0.432 / 0.203 |",
        "| [other](pretrained/other/README.md) | dot | luong, input feeding | lstm | 7.2 M | 14.5 MB |  |  |  |  |",
        "",
        "AER of baselines without attention: the diagonal 0.597, IBM Model 1 0.401.",
    ]


def test_the_table_is_put_between_its_markers_and_nothing_else_changes(folder: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{MARKERS[0]}\nold\n{MARKERS[1]}\nafter é\n", encoding="utf-8")
    update_table(readme, [folder])
    first = readme.read_text(encoding="utf-8")
    assert first == f"before\n{MARKERS[0]}\n{model_table([folder])}\n{MARKERS[1]}\nafter é\n"
    update_table(readme, [folder])
    assert readme.read_text(encoding="utf-8") == first


def test_models_that_practised_have_a_table_of_their_own_where_the_readme_has_a_place(
    folder: Path, tmp_path: Path
) -> None:
    other = folder.with_name("mine")
    other.mkdir()
    (other / "config.json").write_text(json.dumps({**CONFIG, "score": "none"}))
    task = {"name": "reverse", "lengths": [1, 20], "symbols": 10, "exact": {"share": 0.4351}}
    model = {"name": "mine", "fingerprint": "abc", "parameters": 113_664, "bytes": 230_808}
    (other / "scores.json").write_text(json.dumps({"format": 1, "model": model, "tests": {}, "task": task}))
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKERS[0]}\n{MARKERS[1]}\nbetween\n{TASK_MARKERS[0]}\n{TASK_MARKERS[1]}\n")
    update_table(readme, [folder, other])
    models, tasks = readme.read_text(encoding="utf-8").split("between")
    assert models == f"{MARKERS[0]}\n{model_table([folder])}\n{MARKERS[1]}\n"
    assert tasks.splitlines()[2:5] == [
        "| model | task | score | cell | parameters | size | longest trained on | exact |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| [mine](pretrained/mine/README.md) | reverse | none | lstm | 113,664 | 231 kB | 20 | 43.5% |",
    ]
    readme.write_text(f"{MARKERS[0]}\n{MARKERS[1]}\n")
    update_table(readme, [folder, other])
    assert "mine" not in readme.read_text(encoding="utf-8")


def test_a_readme_without_markers_is_refused(folder: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKERS[1]} {MARKERS[0]}")
    with pytest.raises(ValueError, match="it has no line"):
        update_table(readme, [folder])


def test_a_readme_in_another_encoding_is_refused(folder: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("é", encoding="latin-1")
    with pytest.raises(InputError, match=r"README\.md: not UTF-8 .*; save it as UTF-8"):
        update_table(readme, [folder])


def test_a_readme_keeps_its_tables_where_no_model_was_measured(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKERS[0]}\n| a |\n{MARKERS[1]}\n")
    status, _, told = call("card", "--readme", str(readme), "--pretrained", str(tmp_path))
    assert status == 1
    assert "no model there has a scores.json" in told
    assert "| a |" in readme.read_text()
