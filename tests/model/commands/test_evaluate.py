"""`evaluate` leaves records that are complete, honest and free of the machine they were made on."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.analysis.faithfulness import COUNTERFACTUALS
from model.checkpoint import Pretrained, save
from model.commands import evaluate_model
from model.data.corpus import bucket
from model.decoding import beam
from model.decoding.beam_score import BeamSettings
from model.translate import translate
from model.words import normalise
from tests.support.pair_table import held_out_lines
from tests.support.run_command import call
from tests.support.small_texts import PAIRS
from tests.support.small_transformer import small_transformer


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for `measured`, which is made before."""
    monkeypatch.setattr(evaluate_model, "WIDTHS", (1, 2))
    monkeypatch.setattr(evaluate_model, "WORTH", 3)
    monkeypatch.setattr(evaluate_model, "TIMED", 1)
    monkeypatch.setattr("model.evaluation.translation_quality.SAMPLES", 50)


def copy(model: Pretrained, folder: Path) -> Path:
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_bytes((model.folder / name).read_bytes())
    return folder


def evaluation(tmp_path: Path, tiny_model: Pretrained) -> tuple[Path, list[str]]:
    folder = copy(tiny_model, tmp_path / "measured")
    (tmp_path / "table.tsv").write_text(held_out_lines(), encoding="utf-8")
    (tmp_path / "t.en").write_text("A cat.\nA car.\n")
    (tmp_path / "t.fr").write_text("Un chat.\nUne auto.\n")
    story = tmp_path / "alignments" / "story"
    story.mkdir(parents=True)
    (story / "Un_sents.txt").write_text("0\tLe chat\n1\tl' auto\n")
    (story / "One_sents.txt").write_text("0\tThe cat\n1\tthe car\n")
    (story / "ali_w2w_Un_One.txt").write_text("0\t0-0 1-1 \n1\t0p0 1p1 \n")
    tests = ["--table", str(tmp_path / "table.tsv"), "--test", "small", str(tmp_path / "t.en"), str(tmp_path / "t.fr")]
    return folder, ["evaluate", *tests, "--beam", "2", "--model", str(folder)]


def read(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "scores.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, tiny_model: Pretrained) -> Path:
    """A model's folder after everything was measured."""
    place = tmp_path_factory.mktemp("measured")
    folder, arguments = evaluation(place, tiny_model)
    assert call(*arguments, "--alignments", str(place / "alignments"), "--page")[:2] == (0, b"")
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


def test_every_search_is_scored_by_length_on_all_that_is_held_out(measured: Path, tiny_model: Pretrained) -> None:
    tests = read(measured)["tests"]
    held_out = tests["held_out"]
    assert (held_out["pairs"], held_out["sources"]) == (7, 7)
    assert set(held_out["searches"]) == {"greedy", "beam_2"}
    for found in held_out["searches"].values():
        assert set(found) == {"bleu", "bleu_lower", "chrf", "by_length", "seconds"}
        assert sum(row["pairs"] for row in found["by_length"]) == 7
        assert all(len(row["interval"]) == 2 for row in found["by_length"])
    for example in held_out["examples"]:
        assert example["greedy"] == normalise(translate(tiny_model, [example["source"]])[0].text)
        assert example["beam_2"] == normalise(beam.translate(tiny_model, [example["source"]], BeamSettings(2))[0].text)
    assert tests["small"]["files"][0]["name"] == "t.en"


def test_the_widths_of_the_beam_are_scored_on_what_is_held_out(measured: Path, tiny_model: Pretrained) -> None:
    tests = read(measured)["tests"]
    widths, searches = tests["held_out"]["by_width"], tests["held_out"]["searches"]
    assert (widths["pairs"], widths["sources"], len(widths["examples"])) == (7, 7, 5)
    assert [row["width"] for row in widths["widths"]] == [1, 2, 5, 10]
    assert widths["widths"][0]["bleu"] == searches["greedy"]["bleu"]["score"]
    assert widths["widths"][1]["chrf"] == searches["beam_2"]["chrf"]["score"]
    for width, text in widths["examples"][0]["written"].items():
        asked = [widths["examples"][0]["source"]]
        assert text == normalise(beam.translate(tiny_model, asked, BeamSettings(int(width)))[0].text)
    assert "by_width" not in tests["small"]


def test_the_page_is_scored_by_its_own_engine_and_once_more_with_rounded_weights(measured: Path) -> None:
    page, held_out = read(measured)["page"], read(measured)["tests"]["held_out"]
    assert [page[name] for name in ("files", "pairs", "sources")] == [
        held_out[name] for name in ("files", "pairs", "sources")
    ]
    assert page["shipped"]["bleu"] == held_out["searches"]["greedy"]["bleu"]
    assert page["rounded"].keys() == page["shipped"].keys()
    status, _, told = call("evaluate", "--model", str(measured), "--only", "page")
    assert (status, "give --table" in told) == (1, True)


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
    assert "not measured, told above: 2" in told
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


def test_text_the_models_were_trained_on_teaches_the_baseline(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, _ = evaluation(tmp_path, tiny_model)
    arguments = ["evaluate", "--model", str(folder), "--alignments", str(tmp_path / "alignments")]
    assert call(*arguments)[0] == 0
    assert "ibm1" not in read(folder)["alignments"]
    pairs = [pair for pair in PAIRS if bucket(pair[0]) >= 25]  # the others are held out
    for side, name in enumerate(("train.en", "train.fr")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
    assert call(*arguments, "--training", str(tmp_path / "train.en"), str(tmp_path / "train.fr"))[0] == 0
    assert read(folder)["alignments"]["ibm1"]["pairs"] == len(pairs) > 3


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
    assert sorted(read(folder)["tests"]) == ["held_out", "small"]


def test_scores_of_the_same_weights_are_kept_and_those_of_others_are_not(
    tmp_path: Path, tiny_model: Pretrained
) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    alignments = ["evaluate", "--model", str(folder), "--alignments", str(tmp_path / "alignments")]
    assert call(*arguments)[0] == 0
    before = read(folder)
    assert call(*alignments)[0] == 0
    both = read(folder)
    assert (both["tests"], both["attention"], both["speed"]) == (before["tests"], before["attention"], before["speed"])
    assert "alignments" in both
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "dropout": 0.5}))
    assert call(*alignments)[0] == 0
    assert read(folder)["tests"] == {}
    assert "attention" not in read(folder)


def test_a_transformer_is_measured_with_every_head(
    tmp_path: Path, tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_model, "ABLATED", 2)
    _, arguments = evaluation(tmp_path, tiny_model)
    model, folder, stories = small_transformer(), tmp_path / "transformer", tmp_path / "alignments"
    save(model.network, model.tokenizer, folder)
    (stories / "other").mkdir()
    for file in (stories / "story").iterdir():
        (stories / "other" / file.name).write_bytes(file.read_bytes())
    status, _, told = call(*arguments[:-1], str(folder), "--alignments", str(stories))
    assert status == 0, told
    scores = read(folder)
    assert scores["tests"]["held_out"]["searches"]["greedy"]["bleu"]["score"] >= 0
    assert set(scores["attention"]["counterfactuals"]) == set(COUNTERFACTUALS)
    assert scores["typed_first"]["as_read"]["all"]["sentences"] > 200
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
