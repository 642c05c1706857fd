import json
from pathlib import Path

import pytest

from regard.model.analysis.faithfulness import COUNTERFACTUALS
from regard.model.checkpoint import Pretrained, save
from regard.model.commands import evaluate_model
from tests.support.evaluation import evaluation, read
from tests.support.run_command import call
from tests.support.small_transformer import small_transformer

pytestmark = pytest.mark.usefixtures("quick_evaluation")


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
