from pathlib import Path

from regard.model.toml_file import toml_beside


def test_a_table_is_read_from_the_folder_of_its_module(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text('[plural]\n"œil" = "yeux"\n', encoding="utf-8")
    assert toml_beside(str(tmp_path / "module.py"), "words.toml") == {"plural": {"œil": "yeux"}}
