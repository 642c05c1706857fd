import csv
import json
import os
import re
import resource
import shlex
from errno import EFBIG
from pathlib import Path
from typing import Any

import pytest

from regard.model.cards.record_files import read_scores
from regard.model.checkpoint import load
from regard.model.commands.command_line import LogLines
from regard.model.data.corpus import Pair, bounds, bucket, read_table, split
from regard.model.files import alone
from regard.model.training.snapshots import SNAPSHOTS, Snapshots, watched
from tests.support.evaluation import held_out_lines
from tests.support.run_command import call

SIZES = (
    "--vocabulary 290 --embedding 8 --encoder-state 4 --state 8 --batch-tokens 200 --precision float32 --updates 5 "
    "--validate-every 2"
)  # fmt: skip


@pytest.fixture(scope="module")
def lines() -> str:
    """A dozen pairs of the validation part among those to train on."""
    sentences = [f"The cat has {number} mats." for number in range(3000)]
    chosen = [line for line in sentences if bucket(line) >= 25][:200]
    chosen += [line for line in sentences if 15 <= bucket(line) < 25][:12]
    return "".join(f"{line}\t{line.replace('The cat has', 'Le chat a')}\n" for line in chosen)


@pytest.fixture
def table(lines: str, tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(lines)
    return path


def train(table: Path, out: Path, *options: str) -> tuple[int, str]:
    status, _, told = call("train", "--table", str(table), "--out", str(out), *SIZES.split(), *options)
    return status, told


@pytest.mark.parametrize(
    "choice", ["--score dot", "--score concat --wiring bahdanau", "--score none --initial-state encoder", "--cell gru"]
)
def test_the_last_snapshot_is_of_the_last_update_of_the_history(choice: str, table: Path, tmp_path: Path) -> None:
    status, told = train(table, tmp_path / "made", *choice.split())
    assert status == 0, told
    seen = Snapshots.load(tmp_path / "made" / SNAPSHOTS)
    with (tmp_path / "made" / "history.csv").open(encoding="utf-8") as file:
        updates = [int(row["update"]) for row in csv.DictReader(file)]
    assert updates == [2, 4, 5]
    assert [moment.update for moment in seen.moments] == [1, 2, 3, 4, 5]
    pairs = read_table(table)
    assert seen.pairs == tuple(watched(split(pairs, bounds(len(pairs))).validation))


def test_training_records_how_without_naming_the_folders_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "table.tsv").write_text(held_out_lines() * 8, encoding="utf-8")
    apart = bounds(37 * 8 + 1)
    validation = next(n for n in range(10_000) if apart.test <= bucket(f"The cat has {n} mats.") < apart.validation)
    (tmp_path / "v.en").write_text(f"The cat has {validation} mats.\n")
    (tmp_path / "v.fr").write_text("Un chat.\n")
    named = {"--table": "table.tsv", "--source": "v.en", "--target": "v.fr"}
    files = [part for option, name in named.items() for part in (option, str(tmp_path / name))]
    out = ("--out", str(tmp_path / "made"))
    status, _, told = call("train", *files, *SIZES.split(), "--updates", "2", *out, "--keep-repeated")
    assert status == 0, told
    record: dict[str, Any] = json.loads((tmp_path / "made" / "training.json").read_text(encoding="utf-8"))
    assert record["command"].startswith("regard train --table table.tsv --source v.en --target v.fr")
    assert "--updates 2" in record["command"]
    pairs = [*read_table(tmp_path / "table.tsv"), Pair(f"The cat has {validation} mats.", "Un chat.")]
    parts = split(pairs, apart)
    assert record["pairs"] == {
        "for training": len(parts.train),
        "for validation": len(parts.validation),
        "held out": len(parts.test),
        "left out as too long": 0,
    }
    assert record["held_out_of_1000"] == apart.test
    assert record["options"]["updates"] == 2
    assert record["processes"] == 1
    card = (tmp_path / "made" / "README.md").read_text(encoding="utf-8")
    assert record["command"] in card
    assert str(tmp_path) not in card + json.dumps(record)
    assert "checking the text" in told


def test_a_dry_run_tells_and_writes_nothing(table: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    status, told = train(table, tmp_path / "made", "--dry-run")
    assert status == 0
    assert "pairs.tsv: 212 lines, 212 pairs to use" in told
    assert "5 updates to make" in told
    assert "estimate: about" in told
    assert "nothing is trained or written" in told
    assert sorted(tmp_path.rglob("*")) == before


def test_a_finished_model_a_file_and_somebody_s_folder_are_not_overwritten(table: Path, tmp_path: Path) -> None:
    assert train(table, tmp_path / "made")[0] == 0
    content = {path: path.read_bytes() for path in (tmp_path / "made").iterdir()}
    status, told = train(table, tmp_path / "made", "--updates", "6")
    assert (status, "made already holds a model; choose another --out, or remove it" in told) == (1, True)
    assert {path: path.read_bytes() for path in (tmp_path / "made").iterdir()} == content
    assert "holds something else; --out must be a folder that is new or empty" in train(table, table)[1]


def test_a_new_model_is_measured_on_what_was_held_out_and_its_card_claims_no_more(table: Path, tmp_path: Path) -> None:
    assert train(table, tmp_path / "made")[0] == 0
    scores = read_scores(tmp_path / "made")
    pairs = read_table(table)
    parts = split(pairs, bounds(len(pairs)))
    found = scores["tests"]["held_out"]
    assert scores["model"]["name"] == "made"
    assert scores["model"]["fingerprint"] == load(tmp_path / "made").fingerprint
    assert (found["pairs"], list(found["searches"])) == (len(parts.test), ["greedy"])
    assert {"bleu", "chrf"} < found["searches"]["greedy"].keys()
    assert found["perplexity"] > 1
    assert {example["source"] for example in found["examples"]} <= {pair.source for pair in parts.test}
    card = (tmp_path / "made" / "README.md").read_text(encoding="utf-8")
    assert "image captions" not in card
    assert f"It has learned from {len(parts.train)} sentence pairs, half of them of up to" in card
    assert f"| held-out | greedy | {len(parts.test)} |" in card


def test_a_full_disk_is_told_by_file_nothing_is_left_half_written_and_the_same_command_goes_on(
    table: Path, tmp_path: Path
) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, before[1]))  # no file may become larger
    try:
        status, told = train(table, tmp_path / "made")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept = tmp_path / "made.run" / "state.safetensors"
    assert (status, f"{kept}: {os.strerror(EFBIG)}" in told) == (1, True), told
    assert [*kept.parent.iterdir()] == []
    assert not (tmp_path / "made").exists()
    assert train(table, tmp_path / "made")[0] == 0


def test_a_loss_that_still_falls_is_told_with_the_command_that_goes_on(table: Path, tmp_path: Path) -> None:
    last = train(table, tmp_path / "made", "--rate", "0.05")[1].splitlines()[-1]
    said, _, command = last.partition("to go on with twice the updates: regard ")
    assert "made is now a model; the validation loss was still falling, from " in said
    status, _, told = call(*shlex.split(command))
    assert (status, "state.safetensors, after update 5" in told) == (0, True), told
    assert (tmp_path / "made-longer" / "README.md").is_file()
    flat = train(table, tmp_path / "flat", "--rate", "1e-9", "--updates", "4")[1].splitlines()[-1]
    assert flat.endswith("flat.run is no longer needed")


def test_a_log_has_a_line_a_minute(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\r" not in train(table, tmp_path / "made")[1]
    monkeypatch.setattr(LogLines, "EVERY", 0.0)
    told = train(table, tmp_path / "other")[1]
    assert re.findall(r"^update (\d) of 5, 00:0\d so far, .* left, loss .*$", told, re.MULTILINE)[-1] == "5"


def test_two_trainings_never_write_one_model(table: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    with alone(made):  # as another training holds it
        status, told = train(table, made)
    assert (status, f"{made}: another training run is writing it" in told) == (1, True), told
    assert not made.exists()
