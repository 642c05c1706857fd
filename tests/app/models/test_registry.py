import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models import registry, settings
from regard.model.checkpoint import DEFAULT
from regard.model.config import Config


def put_model(folder: Path, languages: tuple[str, str] = ("en", "fr")) -> Path:
    folder.mkdir(parents=True)
    Config(9, languages=languages).save(folder / "config.json")
    return folder


@pytest.fixture
def shipped_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "shipped"
    for name in ("a", DEFAULT, "z"):
        put_model(place / name)
    monkeypatch.setattr(registry, "PRETRAINED", place)
    monkeypatch.delenv(settings.MODELS_SETTING, raising=False)
    return place


def test_a_server_offers_the_models_it_was_started_with(
    shipped_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = put_model(tmp_path / "alone")
    several = [put_model(tmp_path / "several" / name) for name in ("one", "a")]
    monkeypatch.setenv(settings.MODELS_SETTING, f"{alone}:{tmp_path / 'several'}")
    assert registry.model_names() == [DEFAULT, "a", "z", "alone", "a-2", "one"]
    assert [registry.folder(name) for name in ("alone", "one", "a-2")] == [alone, *several]


def test_models_are_alike_when_they_translate_between_the_same_languages(shipped_models: Path) -> None:
    put_model(shipped_models / "german", ("de", "en"))
    put_model(shipped_models / "back", ("fr", "en"))
    put_model(shipped_models / "german too", ("de", "en"))
    (shipped_models / "broken").mkdir()
    (shipped_models / "broken" / "config.json").write_text("{")
    assert registry.alike("german") == ["german", "german too"]
    assert registry.alike(DEFAULT) == [DEFAULT, "a", "z"]
    assert registry.alike("broken") == ["broken"]


def offering() -> None:
    """Run as the test's script: a visitor brings a model, and removes it again."""
    from pathlib import Path

    import streamlit as st

    from regard.app.models import registry
    from regard.app.models.models import title

    if st.button("put"):
        registry.put("mine-3f9c", Path("/nowhere/mine"), "mine")
    if st.button("drop"):
        registry.drop("mine-3f9c")
    st.text(" ".join(registry.model_names()))
    st.text(str(registry.folder("mine-3f9c")))
    st.text(title("mine-3f9c"))


def test_a_model_of_ones_own_is_on_offer_to_oneself_alone(shipped_models: Path) -> None:
    mine, other = (AppTest.from_function(offering).run() for _ in range(2))
    mine.button[0].click().run()
    other.run()
    assert [text.value for text in mine.text] == [f"{DEFAULT} a z mine-3f9c", "/nowhere/mine", "mine"]
    assert [text.value for text in other.text] == [f"{DEFAULT} a z", str(shipped_models / "mine-3f9c"), "mine-3f9c"]
    mine.button[1].click().run()
    assert mine.text[0].value == f"{DEFAULT} a z"


def test_the_command_refuses_a_folder_without_a_model(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "regard", "--models", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == f"regard: --models {tmp_path}: no model there; a model is a folder with a config.json\n"
