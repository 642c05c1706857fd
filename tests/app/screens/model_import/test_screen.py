import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.server import ROOT
from regard.app.models.visit_folders import MOST_OF_ONE
from regard.app.navigation import TITLES
from regard.app.screens.model_import.text import SIZE
from regard.model.checkpoint import DEFAULT
from regard.model.memory.datastore import MEMORY
from regard.model.memory.occurrences import OCCURRENCES
from tests.support.model_import_screen import ask, bring, button, html, names
from tests.support.model_zips import packed
from tests.support.other_language_models import digits, write_transformer
from tests.support.screens import FRAME, switch_page


def test_a_newcomer_is_told_what_is_accepted_and_how_to_make_it(screen: AppTest) -> None:
    told = " ".join(each.value for each in screen.markdown)
    named = ("model.safetensors", "regard train", "--models DIR", f"up to {SIZE} MB", MEMORY, OCCURRENCES)
    assert all(name in told for name in named)
    assert re.search(rf"^maxUploadSize = {SIZE}\b", (ROOT / "app/.streamlit/config.toml").read_text(), re.MULTILINE)


def test_a_good_zip_is_a_model_of_this_visitor(screen: AppTest, contents: dict[str, bytes], brought: Path) -> None:
    bring(screen, packed(contents))
    (name,) = names(screen)
    assert re.fullmatch(r"my-model-[0-9a-f]{32}", name)
    assert "my-model · symbols" in html(screen)
    assert "GRU" in html(screen)
    assert (brought / name / "config.json").is_file()
    other = switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/translate/screen.py").run()
    assert name not in other.selectbox(key="model").options
    assert "my-model · symbols" not in other.selectbox(key="model").options


def test_open_in_the_stepper_asks_it_an_example_of_its_own(screen: AppTest, contents: dict[str, bytes]) -> None:
    bring(screen, packed(contents))
    (name,) = names(screen)
    button(screen, "Open in the stepper")
    assert screen.text_input(key="sentence").value == "2 5 9"
    assert screen.selectbox(key="model").value == name
    assert "my-model · symbols" in screen.selectbox(key="model").options


@pytest.mark.parametrize("transformer", [False, True])
def test_every_screen_works_with_it(
    transformer: bool, screen: AppTest, contents: dict[str, bytes], tmp_path: Path
) -> None:
    if transformer:
        folder = write_transformer(tmp_path / "mine", digits())
        contents = {path.name: path.read_bytes() for path in folder.iterdir()}
    ask(bring(screen, packed(contents)))
    assert ("1 of the encoder and 2 of the decoder, 2 heads each" in html(screen)) == transformer
    for other in ("translate", "compare", "alignment", "transformer" if transformer else "recorded_training"):
        switch_page(screen, f"screens/{other}/screen.py").run()
        assert not screen.exception, TITLES[other]
        assert not screen.error, TITLES[other]


def test_what_is_refused_is_told_with_the_reason_and_leaves_nothing(
    screen: AppTest, contents: dict[str, bytes], brought: Path
) -> None:
    bring(screen, packed({**contents, "weights.pt": b"\x80"}), "<b>bad</b>.zip")
    told = screen.error[0].value.replace("\\", "")
    assert told.startswith("<b>bad</b>.zip was refused: 'mine/weights.pt' is or may be pickled")
    assert list(brought.iterdir()) == []
    bring(screen, packed(contents))
    assert not screen.error


def test_remove_deletes_it_and_the_usual_model_is_asked_again(
    screen: AppTest, contents: dict[str, bytes], brought: Path
) -> None:
    ask(bring(screen, packed(contents)))
    button(screen, "Remove")
    assert names(screen) == list(brought.iterdir()) == []
    switch_page(screen, "screens/translate/screen.py").run()
    assert screen.selectbox(key="model").value == DEFAULT
    assert screen.text_input(key="sentence").value == "I love you."
    assert not screen.info


def test_another_visitor_s_link_opens_the_usual_model_and_says_why(screen: AppTest, contents: dict[str, bytes]) -> None:
    (name,) = names(bring(screen, packed(contents)))
    other = switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/translate/screen.py")
    other.query_params["model"] = name
    other.query_params["sentence"] = "I see a cat."
    other.run()
    assert not other.exception
    assert other.selectbox(key="model").value == DEFAULT
    assert "to that visitor alone" in other.info[0].value
    assert name in other.info[0].value.replace("\\", "")
    other.selectbox(key="model").set_value("en-fr-dot").run()
    assert not other.info


def test_a_full_disk_is_told_and_leaves_the_place_free(
    screen: AppTest, contents: dict[str, bytes], brought: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(packed: bytes, folder: Path) -> None:
        raise OSError(28, "No space left on device", str(folder))

    with monkeypatch.context() as patched:
        patched.setattr("regard.app.screens.model_import.upload.admit", full)
        for _ in range(MOST_OF_ONE + 1):
            bring(screen, packed(contents))
        assert not screen.exception
        assert "because its disk is full" in screen.error[0].value
        assert str(brought) not in screen.error[0].value
    bring(screen, packed(contents))
    assert len(names(screen)) == 1
