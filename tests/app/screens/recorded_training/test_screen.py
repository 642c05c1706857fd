import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.result_cache import forget_all
from regard.model.cards.record_files import HISTORY
from regard.model.checkpoint import Pretrained, save
from regard.model.data.corpus import Pair
from regard.model.training.snapshots import SNAPSHOTS, Snapshots, look
from tests.support.lesson_visitor import array
from tests.support.screens import figures, on_screen
from tests.support.small_texts import PAIRS
from tests.support.small_transformer import small_transformer

UPDATES = [1, 7, 30]
WATCHED = tuple(Pair(*sides) for sides in PAIRS[:3])
LOSSES = "update,loss,validation_loss\n10,5.0,4.5\n30,3.0,2.5\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder where the app looks for models."""
    monkeypatch.setattr("regard.app.models.registry.PRETRAINED", tmp_path)
    forget_all()
    yield tmp_path
    forget_all()


@pytest.fixture
def recorded(folder: Path, make_model: Callable[..., Pretrained]) -> Snapshots:
    """One model that was watched at three moments, each as other weights would have it."""
    seen, models = Snapshots(WATCHED, ()), [make_model(score=score) for score in ("general", "dot", "concat")]
    for update, model in zip(UPDATES, models, strict=True):
        seen = seen.with_moment(look(model.network, model.tokenizer, WATCHED, update))
    shutil.copytree(models[-1].folder, folder / "en-fr-general")
    seen.save(folder / "en-fr-general" / SNAPSHOTS)
    (folder / "en-fr-general" / HISTORY).write_text(LOSSES, encoding="utf-8")
    return seen


def cells(screen: AppTest, update: int) -> np.ndarray:
    return array(figures(screen)[f"Attention matrix after update {update}"]["data"][0]["z"])


def update(screen: AppTest) -> int:
    """The moment that the slider stands at."""
    return int(str(screen.select_slider(key="update").value))


def click(screen: AppTest, label: str) -> None:
    next(button for button in screen.button if button.label == label).click().run()


def test_the_screen_opens_in_the_middle_of_training_and_shows_the_weights_of_every_moment(
    screen: AppTest, recorded: Snapshots, tiny_model: Pretrained
) -> None:
    assert update(screen.run()) == 7
    for moment, after in enumerate(UPDATES):
        screen.select_slider(key="update").set_value(after).run()
        assert not screen.exception
        shown = recorded.alignment(1, moment, tiny_model.tokenizer).by_words("output")
        assert np.allclose(cells(screen, after), 100 * shown.weights)
    assert update(on_screen("recorded_training", update="1").run()) == 1
    assert screen.selectbox(key="watched").value == recorded.pairs[1].source


def test_the_curves_are_those_of_the_history_and_the_snapshots(screen: AppTest, recorded: Snapshots) -> None:
    screen.run()
    spec = next(spec for alt, spec in figures(screen).items() if "Losses" in alt)
    lines = {line["name"]: list(line["y"]) for line in spec["data"]}
    assert lines["validation"] == [4.5, 2.5]
    assert lines["this translation"] == pytest.approx(recorded.losses(1).tolist())
    assert lines["entropy of this sentence"] == pytest.approx(recorded.entropies(1).tolist())


def test_a_model_that_was_not_watched_shows_its_losses_and_says_which_command_watches(
    screen: AppTest, folder: Path, tiny_model: Pretrained
) -> None:
    shutil.copytree(tiny_model.folder, folder / "mine")
    (folder / "mine" / HISTORY).write_text(LOSSES, encoding="utf-8")
    screen.run()
    assert not screen.exception
    assert "regard train" in screen.info[0].value
    assert [list(line["y"]) for line in figures(screen).popitem()[1]["data"]] == [[5.0, 3.0], [4.5, 2.5]]


def test_unreadable_snapshots_are_named_and_a_broken_history_counts_as_missing(
    screen: AppTest, recorded: Snapshots, folder: Path
) -> None:
    (folder / "en-fr-general" / SNAPSHOTS).write_bytes(b"PK")
    (folder / "en-fr-general" / HISTORY).write_text("update,loss\n1,x\n", encoding="utf-8")
    screen.run()
    assert not screen.exception
    assert any(SNAPSHOTS in error.value.replace("\\", "") for error in screen.error)


def test_of_a_transformer_every_head_is_watched_and_at_first_their_mean(folder: Path, screen: AppTest) -> None:
    model = small_transformer()
    name = folder / "en-fr-general"
    save(model.network, model.tokenizer, name)
    seen = Snapshots(WATCHED, tuple(look(model.network, model.tokenizer, WATCHED, update) for update in UPDATES))
    seen.save(name / SNAPSHOTS)
    (name / HISTORY).write_text(LOSSES, encoding="utf-8")
    screen.run()
    assert not screen.exception
    [alt] = [alt for alt in figures(screen) if alt.startswith("Attention matrix")]
    mean = array(figures(screen)[alt]["data"][0]["z"])
    screen.selectbox(key="watched_head").set_value("layer 1, head 2").run()
    assert not screen.exception
    drawn = array(figures(screen)[alt]["data"][0]["z"])
    index = len(WATCHED) // 2
    chosen = seen.of_head(0, 1).alignment(index, 1, model.tokenizer).by_words("output").weights
    assert drawn.ravel() == pytest.approx(100 * chosen.ravel(), abs=0.2)
    assert not np.allclose(drawn, mean, atol=1)
