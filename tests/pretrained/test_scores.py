"""The scores of every model that ships come out again: a sample of each is measured anew.

Another processor may round otherwise and break a tie the other way, so one sentence of a sample may differ.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from regard.model.checkpoint import CONFIG, PRETRAINED, WEIGHTS, AnyModel
from regard.model.decoding.beam import write
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.evaluation.attention_faithfulness import measured
from regard.model.synthetic.exact_match import measured as counted
from regard.model.synthetic.exact_match import others
from regard.model.synthetic.setup import Setup
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import translate
from regard.model.word_alignment.alignment_error_rate import STORIES, read_story
from regard.model.word_alignment.from_attention import Aligned, aligned

STORY = "ChatBotte_MasterCat"
ALL = sorted(path.parent for path in PRETRAINED.glob(f"*/{CONFIG}"))
PRACTISED = [folder for folder in ALL if folder.name.startswith("reverse")]
FOLDERS = [folder for folder in ALL if folder not in PRACTISED]


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda folder: folder.name)
def recorded(request: pytest.FixtureRequest) -> tuple[AnyModel, dict[str, Any]]:
    folder: Path = request.param
    return load_any(folder), json.loads((folder / "scores.json").read_text(encoding="utf-8"))


def test_the_scores_are_those_of_the_weights(recorded: tuple[AnyModel, dict[str, Any]]) -> None:
    model, scores = recorded
    assert scores["model"] == {
        "name": model.name,
        "fingerprint": model.fingerprint,
        "parameters": sum(parameter.numel() for parameter in model.network.parameters()),
        "bytes": (model.folder / WEIGHTS).stat().st_size,
    }


@pytest.mark.parametrize(("search", "width"), [("greedy", 1), ("beam_5", 5)])
def test_the_held_out_examples_are_translated_as_recorded(
    recorded: tuple[AnyModel, dict[str, Any]], search: str, width: int
) -> None:
    model, scores = recorded
    examples = scores["tests"]["held_out"]["examples"][::2]
    translations = list(write(model, [example["source"] for example in examples], BeamSettings(width)))
    same = [text == example[search] for text, example in zip(translations, examples, strict=True)]
    assert sum(same) >= len(examples) - 1 > 0


def test_a_story_is_aligned_as_recorded(recorded: tuple[AnyModel, dict[str, Any]]) -> None:
    model, scores = recorded
    gold = [pair for pair in read_story(STORIES / STORY, model.tokenizer.languages) if pair.counts]
    found = sum(aligned(model, gold, posteriors=False), Aligned()).scores()
    told = scores["alignments"]["stories"][STORY]
    assert found["pairs"] == told["pairs"]
    for part in ("output", "input", "weight_on_end"):
        assert found[part] == pytest.approx(told[part], abs=0.005)


def test_attention_is_worth_what_is_recorded(recorded: tuple[AnyModel, dict[str, Any]]) -> None:
    model, scores = recorded
    examples = scores["attention"]["examples"][::2]
    traces = translate(model, [example["source"] for example in examples])
    again = [
        (measured(model, trace, example["seed"]).scores(), example)
        for trace, example in zip(traces, examples, strict=True)
        if trace.text == example["greedy"]
    ]
    assert len(again) >= len(examples) - 1 > 0
    for found, example in again:
        assert found["words"] == example["words"]
        assert found["kept"] == pytest.approx(example["kept"], abs=1)
        for name, tau in example["tau"].items():
            assert found["tau"][name] == pytest.approx(tau, abs=0.1)
        for name in ("entropy", "uncovered", "confidence"):
            assert found[name] == pytest.approx(example[name], abs=1e-3)


@pytest.mark.parametrize("folder", PRACTISED, ids=lambda folder: folder.name)
def test_as_many_sequences_are_exact_as_recorded(folder: Path) -> None:
    model, scores = load_any(folder), json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    setup = Setup(**json.loads((folder / "training.json").read_text(encoding="utf-8"))["setup"])
    task = scores["task"]
    assert scores["model"]["fingerprint"] == model.fingerprint
    assert (task["name"], task["lengths"]) == (setup.task, [setup.shortest, setup.longest])
    for row in task["by_length"][::6]:
        sequences = others(setup, row["length"], row["sequences"])
        assert len(sequences) == row["sequences"]
        assert abs(counted(model.network, setup.task, sequences).right - row["right"]) <= 1
