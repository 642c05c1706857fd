"""The models that ship are on equal terms: the same data, tokenizer, sizes, updates and seed.

So are the two that reverse numbers among themselves: only the attention is another.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from regard.model.cards.card import card
from regard.model.cards.record_files import CARD, SCORES_FILE, TRAINING
from regard.model.checkpoint import COMPARED, CONFIG, DEFAULT, PRETRAINED, TOKENIZER, WEIGHTS, fingerprint
from regard.model.doubt.chance import load
from regard.model.synthetic.exact_match import command
from regard.model.synthetic.setup import Setup
from regard.model.training.snapshots import SNAPSHOTS, Snapshots

HEAVIEST = 18_000_000  # bytes of a weights file
APART = {  # what each of the models trained alike has otherwise than the first
    "en-fr-general": {},
    "en-fr-dot": {"score": "dot"},
    "en-fr-concat": {"score": "concat"},
    "en-fr-bahdanau": {"score": "concat", "wiring": "bahdanau"},
    "en-fr-none": {"score": "none", "initial_state": "encoder"},
    "en-fr-general-gru": {"cell": "gru"},
}
PRACTISED = {"reverse-gru": "dot", "reverse-gru-none": "none"}  # attention by name
LIGHTEST = 600_000  # bytes of a weights file
TRANSFORMERS = {"reverse-transformer": "sinusoids", "reverse-transformer-nopos": "none"}  # positions by name


def record(name: str, file: str) -> Mapping[str, Any]:
    return json.loads((PRETRAINED / name / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", APART)
def test_a_model_differs_from_the_first_as_its_name_says(name: str) -> None:
    assert record(name, CONFIG) == {**record(COMPARED, CONFIG), **APART[name]}
    training, default = record(name, TRAINING), record(COMPARED, TRAINING)
    for key in ("files", "pairs", "source_tokens", "options"):
        assert training[key] == default[key]
    assert (PRETRAINED / name / TOKENIZER).read_bytes() == (PRETRAINED / COMPARED / TOKENIZER).read_bytes()
    assert (PRETRAINED / name / WEIGHTS).stat().st_size <= HEAVIEST


def beginning(training: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first weights that a training went on from, through all the trainings between."""
    begun = training["began_with"]
    while begun.get("began_with"):
        assert begun["updates"] > begun["began_with"]["updates"]
        begun = begun["began_with"]
    return begun


def test_the_default_has_input_feeding_and_went_on_from_the_weights_of_the_first_with_everyday_text() -> None:
    """It is not on equal terms with the six, which had fewer updates."""
    config, first = dict(record(DEFAULT, CONFIG)), dict(record(COMPARED, CONFIG))
    assert (config.pop("input_feeding"), first.pop("input_feeding")) == (True, False)
    assert config == first
    assert (PRETRAINED / DEFAULT / TOKENIZER).read_bytes() == (PRETRAINED / COMPARED / TOKENIZER).read_bytes()
    assert (PRETRAINED / DEFAULT / WEIGHTS).stat().st_size <= HEAVIEST
    training, compared = record(DEFAULT, TRAINING), record(COMPARED, TRAINING)
    assert f"--from {training['began_with']['name']}" in training["command"]
    assert beginning(training) == beginning(compared)
    assert training["epoch"]["text"] > sum(training["epoch"].values()) / 2


def test_of_the_recurrent_models_the_default_translates_best() -> None:
    scores = {name: record(name, SCORES_FILE) for name in (DEFAULT, *APART)}
    for test in ("held_out", "test_2016_flickr", "flores200_devtest"):
        found = {name: score["tests"][test]["searches"]["greedy"]["bleu"]["score"] for name, score in scores.items()}
        assert max(found, key=found.__getitem__) == DEFAULT, test
    right = {name: score["typed_first"]["as_read"]["all"]["accepted"] for name, score in scores.items()}
    assert max(right, key=right.__getitem__) == DEFAULT


@pytest.mark.parametrize("name", {**PRACTISED, **TRANSFORMERS})
def test_a_practised_model_was_made_by_one_command_and_differs_as_its_name_says(name: str) -> None:
    first, field = ("reverse-gru", "attention") if name in PRACTISED else ("reverse-transformer", "positions")
    setup = Setup(**record(name, TRAINING)["setup"])
    differing = {field: {**PRACTISED, **TRANSFORMERS}[name]}
    assert setup == replace(Setup(**record(first, TRAINING)["setup"]), **differing)
    made_by = command(setup, Path("pretrained", name), sweep=True)
    assert record(name, TRAINING)["command"].partition(" practise ")[2] == made_by.removeprefix("regard practise ")
    assert record(name, CONFIG) == json.loads(json.dumps(asdict(setup.config())))
    assert (PRETRAINED / name / WEIGHTS).stat().st_size <= LIGHTEST
    seen = Snapshots.load(PRETRAINED / name / SNAPSHOTS)
    assert seen.moments[0].update == 1
    assert (PRETRAINED / name / SNAPSHOTS).stat().st_size < LIGHTEST


def test_attention_keeps_long_sequences_that_are_lost_without_it() -> None:
    sweeps = {name: record(name, "scores.json")["task"] for name in PRACTISED}
    assert sweeps["reverse-gru"]["exact"]["share"] >= 0.99
    longest = sweeps["reverse-gru"]["lengths"][1]
    having, lacking = ({row["length"]: row for row in sweep["by_length"]} for sweep in sweeps.values())
    assert list(having) == list(lacking) == list(range(1, longest + longest // 2 + 1))
    assert having[longest]["interval"][0] > 0.9
    assert lacking[longest]["interval"][1] < 0.1


def test_the_default_has_a_doubt_of_its_own_weights_that_its_scores_tell_of() -> None:
    """Fit it anew with `make doubt DATA=folder` after its weights have changed."""
    assert load(PRETRAINED / DEFAULT, fingerprint(PRETRAINED / DEFAULT)) is not None
    held_out = record(DEFAULT, SCORES_FILE)["doubt"]["held_out"]
    assert held_out["chance"]["calibration_error"] < held_out["mean_alone"]["calibration_error"]


@pytest.mark.parametrize("name", sorted(path.parent.name for path in PRETRAINED.glob(f"*/{CONFIG}")))
def test_a_card_is_what_the_records_give(name: str) -> None:
    assert (PRETRAINED / name / CARD).read_text(encoding="utf-8") == card(PRETRAINED / name) + "\n"
