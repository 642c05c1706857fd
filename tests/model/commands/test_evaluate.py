import json
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import ANY

import pytest

from regard.model.analysis.faithfulness import COUNTERFACTUALS
from regard.model.checkpoint import Pretrained, save
from regard.model.commands import evaluate
from tests.support.evaluation import copy, evaluation, read
from tests.support.run_command import call
from tests.support.small_transformer import small_transformer

pytestmark = pytest.mark.usefixtures("quick_evaluation")


def test_several_models_are_measured_and_a_broken_one_does_not_stop_the_others(
    tmp_path: Path, tiny_model: Pretrained, make_model: Callable[..., Pretrained]
) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    broken = copy(tiny_model, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"{")
    other = copy(make_model(score="none", initial_state="encoder"), tmp_path / "other")
    (other / "history.csv").write_text("update,tokens,seconds,validation_loss\n1,10,1,2\n2,5000,40,2\n")
    status, _, told = call(
        *arguments, str(broken), str(tmp_path / "absent"), str(other), "--alignments", str(tmp_path / "alignments")
    )
    assert status == 1
    assert f"{broken} is not measured: {broken / 'model.safetensors'}: not a complete safetensors file" in told
    assert f"{tmp_path / 'absent'} is not a model folder" in told
    assert "could not be measured, for the reasons above: 2" in told
    assert told.count("IBM Model 1 learns") == 1
    assert not (broken / "scores.json").exists()
    assert read(folder)["model"]["name"] == "measured"
    scores = read(other)
    assert scores["speed"]["training_tokens_a_second"] == 125
    assert scores["attention"]["tau"]["gradient_by_input"] == {"steps": 0, "mean": None, "deviation": None}
    assert scores["alignments"]["ibm1"] == read(folder)["alignments"]["ibm1"]
    assert "undefined" in (other / "README.md").read_text(encoding="utf-8")


def test_a_story_with_a_wrong_link_is_told_and_the_others_go_on(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    wrong = tmp_path / "alignments" / "wrong"
    wrong.mkdir()
    for path in (tmp_path / "alignments" / "story").iterdir():
        (wrong / path.name).write_text(path.read_text().replace("1-1", "1-7"))
    status, _, told = call(*arguments, "--alignments", str(tmp_path / "alignments"))
    assert status == 1
    assert f"{wrong / 'ali_w2w_Un_One.txt'}, line 1: the link 1-7 is outside" in told
    assert list(read(folder)["alignments"]["stories"]) == ["story"]
    assert read(folder)["tests"]["small"]["pairs"] == 2


def test_a_sample_is_printed_and_never_written(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    status, out, _ = call(*arguments, "--sample", "3")
    assert status == 0
    assert json.loads(out)["tests"]["held_out"]["pairs"] == json.loads(out)["attention"]["sentences"] == 3
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors", "tokenizer.json"]


def test_one_part_is_measured_without_the_other_and_keeps_it(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    arguments += ["--alignments", str(tmp_path / "alignments"), "--only"]
    assert call(*arguments, "alignments")[0] == 0
    alone = read(folder)
    assert (alone["tests"], "attention" in alone) == ({}, False)
    assert alone["alignments"]["ibm1"]["pairs"] > 3  # the baseline learns from the table all the same
    assert call(*arguments, "tests")[0] == 0
    assert read(folder)["alignments"] == alone["alignments"]
    before = read(folder)
    assert sorted(before["tests"]) == ["held_out", "small"]
    (folder / "history.csv").write_text("update,tokens,seconds,validation_loss\n2,5000,40,2\n")
    assert call(*arguments, "speed")[0] == 0
    after = read(folder)
    assert after.pop("speed") == {
        **before.pop("speed"),
        "milliseconds_a_sentence": ANY,
        "training_tokens_a_second": 125,
    }
    assert after == before


def test_a_sentence_too_long_for_a_model_is_named_by_file_and_line(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    (tmp_path / "t.fr").write_text(f"Un chat.\n{'Une auto. ' * 90}\nUn tapis.\n")
    (tmp_path / "t.en").write_text("A cat.\nA car.\nA mat.\n")
    status, _, told = call(*arguments)
    assert status == 0
    assert f"{tmp_path / 't.fr'}, line 2: " in told
    assert "tokens are too many for measured, which is given at most 200" in told
    small = read(folder)["tests"]["small"]
    assert (small["pairs"], small["too_long"]) == (2, 1)
    (tmp_path / "t.fr").write_text(f"{'Un chat. ' * 90}\n" * 3)
    status, _, told = call(*arguments)
    assert status == 1
    assert "every pair of the test small is too long for it" in told


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, tiny_model: Pretrained) -> Path:
    """A model's folder after everything was measured."""
    place = tmp_path_factory.mktemp("measured")
    folder, arguments = evaluation(place, tiny_model)
    assert call(*arguments, "--alignments", str(place / "alignments"))[0] == 0
    return folder


def test_scores_say_of_which_weights_they_are_and_not_where_they_were_made(
    measured: Path, tiny_model: Pretrained
) -> None:
    scores = read(measured)
    assert scores["format"] == 1
    assert scores["model"] == {
        "name": "measured",
        "fingerprint": tiny_model.fingerprint,
        "parameters": sum(parameter.numel() for parameter in tiny_model.network.parameters()),
        "bytes": (measured / "model.safetensors").stat().st_size,
    }
    assert scores["speed"]["milliseconds_a_sentence"] > 0
    assert "training_tokens_a_second" not in scores["speed"]  # nothing was recorded of its training
    assert str(measured.parent) not in json.dumps(scores)
    assert "| held-out | beam 2 | 7 |" in (measured / "README.md").read_text(encoding="utf-8")


def test_links_are_scored_beside_the_baselines_and_weights_are_exchanged(measured: Path) -> None:
    scores = read(measured)
    overall, stories = scores["alignments"]["overall"], scores["alignments"]["stories"]
    assert (overall["pairs"], overall["left_out"]) == (1, 0.5)
    assert stories["story"]["diagonal"] == {"aer": 0.0, "precision": 1.0, "recall": 1.0}
    assert scores["alignments"]["ibm1"]["pairs"] == 30  # the training part of the table
    assert set(overall["ibm1"]) == {"aer", "precision", "recall"}
    assert {"mass_on_sure", "mass_on_possible"} < set(overall["input"])
    assert set(overall["posterior"]) == set(overall["posterior_hmm"]) == set(overall["input"]) == set(overall["output"])
    card = (measured / "README.md").read_text(encoding="utf-8")
    assert all(f"| overall | 1 | {told} |" in card for told in ("word produced", "posterior", "posterior with jumps"))
    assert scores["attention"]["sentences"] == 7
    assert set(scores["attention"]["counterfactuals"]) == set(COUNTERFACTUALS)


def test_a_transformer_is_measured_with_every_head(
    tmp_path: Path, tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "ABLATED", 2)
    _, arguments = evaluation(tmp_path, tiny_model)
    model, folder, stories = small_transformer(), tmp_path / "transformer", tmp_path / "alignments"
    save(model.network, model.tokenizer, folder)
    shutil.copytree(stories / "story", stories / "other")
    status, _, told = call(*arguments[:-1], str(folder), "--alignments", str(stories))
    assert status == 0, told
    scores = read(folder)
    assert list(scores["tests"]["held_out"]["searches"]) == ["greedy", "beam_2"]
    assert set(scores["attention"]["counterfactuals"]) == set(COUNTERFACTUALS)
    assert scores["speed"]["milliseconds_a_sentence"] > 0
    overall, heads = scores["alignments"]["overall"], scores["alignments"]["heads"]
    assert "posterior" not in overall
    for rows in ("output", "input"):
        assert heads[rows]["layers"][-1] == overall[rows]["aer"]  # what the model's own weights are
        assert all(heads["best"]["aer"] <= aer for layer in heads[rows]["heads"] for aer in layer)
    assert heads["elsewhere"]["stories"] == 2
    assert set(heads["chosen_on_the_others"]) == {"story", "other"}  # the same text: the best of one is that of both
    assert heads["elsewhere"]["aer"] == heads["best"]["aer"]
    off = scores["without_head"]
    assert (off["pairs"], len(off["heads"])) == (2, 12)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "AER of every head" in card
    assert "| encoder | 2 |" in card
