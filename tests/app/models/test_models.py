from pathlib import Path

import pytest

from regard.app.models import models, registry
from regard.app.models.settings import MODELS_SETTING
from regard.app.visitor.old_links import renewed
from regard.app.wording import model_title
from regard.model.config import Config


@pytest.mark.parametrize(
    ("config", "called"),
    [
        (Config(9, score="dot"), "Luong, dot score"),
        (Config(9, score="none"), "no attention"),
        (Config(9, cell="gru"), "Luong, general score, GRU"),
        (Config(9, input_feeding=True), "Standard (Luong, general score)"),
        (Config(9, score="dot", input_feeding=True), "Luong, dot score, input feeding"),
        (Config(9, score="concat", wiring="bahdanau"), "Bahdanau"),
        (Config(9, wiring="bahdanau"), "Bahdanau, general score"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_model_is_called_by_what_sets_it_apart(config: Config, called: str) -> None:
    assert model_title(config) == called


def test_a_model_of_another_kind_is_called_by_what_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    kinds = {"a": ("en", "fr"), "b": ("plain", "plain"), "c": ("de", "en"), "d": ("plain", "plain")}
    for name, languages in kinds.items():
        (tmp_path / name).mkdir()
        Config(9, score="dot", languages=languages).save(tmp_path / name / "config.json")
    (tmp_path / "b" / "training.json").write_text('{"format": 1, "task": "reverse"}')
    (tmp_path / "d" / "training.json").write_text('{"format": 1, "task": "<dance>"}')
    titles = [f"Luong, dot score{does}" for does in ("", " · reverse", " · German to English", " · symbols")]
    assert [models.title(name) for name in kinds] == titles


def test_a_folder_that_the_server_was_started_with_is_named_in_its_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "shipped")
    monkeypatch.setenv(MODELS_SETTING, str(tmp_path / "mine"))
    for folder in ("shipped/a", "mine/b", "mine/c"):
        (tmp_path / folder).mkdir(parents=True)
        Config(9, score="dot").save(tmp_path / folder / "config.json")
    assert [models.title(name) for name in "abc"] == [f"Luong, dot score{folder}" for folder in ("", " (b)", " (c)")]
    link = {"models": ["dot", "Luong, dot score (c)"]}
    assert renewed("compare", link) == {"models": ["Luong, dot score", "Luong, dot score (c)"]}
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "none")
    assert renewed("compare", link)["models"][0] == "Luong, dot score (b)"  # a title without the folder, until 0.7
