import json
from functools import partial
from pathlib import Path

import pytest

from regard.model.checkpoint import Pretrained
from regard.model.memory.datastore import load as load_memory
from regard.model.tokenizer import Tokenizer
from regard.pretrained.recipe.__main__ import main
from tests.support import run_command
from tests.support.evaluation import copy
from tests.support.small_texts import PAIRS

call = partial(run_command.call, program=main)
SMALL = ("--embedding", "4", "--encoder-state", "4", "--state", "8", "--vocabulary", "400", "--updates", "1")
RECIPE = """
[[text]]
table = "pairs.tsv"

[generated]
names_file = "names.tsv"
names = 0.5
numbers = 0.5
templates = 20
templates_casual = 0.3
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a recipe, its text and a held-out sentence."""
    pairs = [(f"{number} times: {source}", target) for number in range(40) for source, target in PAIRS]
    (tmp_path / "pairs.tsv").write_text("".join(f"{one}\t{other}\n" for one, other in pairs), encoding="utf-8")
    (tmp_path / "names.tsv").write_text("Tom\tmale\nAnna\tfemale\nSmith\tfamily\n", encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    (tmp_path / "held.tsv").write_text(f"kind\t{pairs[0][0]}\tx\n", encoding="utf-8")
    return tmp_path


def mixed(data: Path) -> tuple[str, ...]:
    return ("--recipe", str(data / "recipe.toml"), "--data", str(data), "--held-out", str(data / "held.tsv"))


def test_a_model_learns_a_mixture_and_records_the_command(data: Path) -> None:
    status, _, error = call("train", *mixed(data), *SMALL, "--out", str(data / "out"))
    assert status == 0, error
    record = json.loads((data / "out" / "training.json").read_text(encoding="utf-8"))
    assert record["command"].startswith("python -m pretrained.recipe train --recipe recipe.toml --data ")
    assert {"text", "template"} <= record["epoch"].keys()
    assert [file["name"] for file in record["files"]] == ["recipe.toml", "pairs.tsv", "names.tsv", "held.tsv"]
    assert (data / "out" / "README.md").is_file()


def test_a_memory_keeps_nothing_that_was_held_out(data: Path, tiny_model: Pretrained, tokenizer: Tokenizer) -> None:
    command = ("--model", str(copy(tiny_model, data / "model")), "--table", str(data / "pairs.tsv"))
    status, _, error = call("memory", *mixed(data), *command)
    assert status == 0, error
    store = load_memory(data / "model", tiny_model.fingerprint)
    assert store is not None
    kept = {tokenizer.decode(store.source(pair)) for pair in range(store.sentences)}
    assert len(kept) > 20
    assert (data / "held.tsv").read_text(encoding="utf-8").split("\t")[1] not in kept
