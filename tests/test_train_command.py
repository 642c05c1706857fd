"""Training from the command line: what it writes beside the weights, and what it refuses."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from model.corpus import Pair, bucket, read_table, split
from model.snapshots import SNAPSHOTS, Snapshots, watched
from tests.command_line import call
from tests.held_out import held_out_lines

SIZES = (
    "--vocabulary 290 --embedding 8 --encoder-state 4 --state 8 --batch-tokens 200 --precision float32 --updates 5 "
    "--validate-every 2"
)  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A dozen pairs of the validation part among those to train on."""
    sentences = [f"The cat has {number} mats." for number in range(3000)]
    chosen = [line for line in sentences if bucket(line) >= 25][:200]
    chosen += [line for line in sentences if 15 <= bucket(line) < 25][:12]
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{line}\t{line.replace('The cat has', 'Le chat a')}\n" for line in chosen))
    return path


def train(table: Path, out: Path, *options: str) -> tuple[int, str]:
    status, _, told = call("train", "--table", str(table), "--out", str(out), *SIZES.split(), *options)
    return status, told


@pytest.mark.parametrize(
    "choice",
    ["--score dot", "--score concat --wiring bahdanau", "--score none --initial-state encoder", "--cell gru"],
)
def test_the_last_snapshot_is_of_the_last_update_of_the_history(choice: str, table: Path, tmp_path: Path) -> None:
    status, told = train(table, tmp_path / "made", *choice.split())
    assert status == 0, told
    seen = Snapshots.load(tmp_path / "made" / SNAPSHOTS)
    with (tmp_path / "made" / "history.csv").open(encoding="utf-8") as file:
        updates = [int(row["update"]) for row in csv.DictReader(file)]
    assert updates == [2, 4, 5]
    assert [moment.update for moment in seen.moments] == [1, 2, 3, 4, 5]
    assert seen.pairs == tuple(watched(split(read_table(table)).validation))


def test_a_run_that_stops_early_ends_with_a_snapshot(table: Path, tmp_path: Path) -> None:
    status, told = train(
        table, tmp_path / "made", "--updates", "1000", "--rate", "1e-30", "--validate-every", "1", "--patience", "3"
    )
    assert status == 0, told
    assert [moment.update for moment in Snapshots.load(tmp_path / "made" / SNAPSHOTS).moments] == [1, 2, 4]


def test_the_pairs_to_watch_can_be_given(table: Path, tmp_path: Path) -> None:
    (tmp_path / "watch.tsv").write_text("A cat.\tUn chat.\nMats.\tDes tapis.\n")
    status, told = train(table, tmp_path / "made", "--watch", str(tmp_path / "watch.tsv"))
    assert status == 0, told
    seen = Snapshots.load(tmp_path / "made" / SNAPSHOTS)
    assert seen.pairs == (Pair("A cat.", "Un chat."), Pair("Mats.", "Des tapis."))
    record = json.loads((tmp_path / "made" / "training.json").read_text(encoding="utf-8"))
    assert "--watch watch.tsv" in record["command"]


def test_a_run_is_not_taken_up_with_other_pairs_to_watch(table: Path, tmp_path: Path) -> None:
    (tmp_path / "watch.tsv").write_text("A cat.\tUn chat.\n")
    kept = str(tmp_path / "state.safetensors")
    assert train(table, tmp_path / "made", "--run", kept)[0] == 0
    status, told = train(table, tmp_path / "again", "--run", kept, "--watch", str(tmp_path / "watch.tsv"))
    assert status == 1
    assert f"{kept}: the saved run watched other sentence pairs" in told
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "there are no sentence pairs to watch"),
        (b"no tab\n", "line 1: no tab"),
        (b"\xff\t\n", "line 1: not UTF-8"),
    ],
    ids=["nothing", "no tab", "not UTF-8"],
)
def test_a_list_to_watch_that_cannot_be_read_is_refused(content: bytes, told: str, table: Path, tmp_path: Path) -> None:
    (tmp_path / "watch.tsv").write_bytes(content)
    status, error = train(table, tmp_path / "made", "--watch", str(tmp_path / "watch.tsv"))
    assert (status, told in error) == (1, True), error
    assert train(table, tmp_path / "made", "--watch", str(tmp_path / "absent.tsv"))[0] == 1


def test_input_feeding_in_bahdanau_s_wiring_is_refused(table: Path, tmp_path: Path) -> None:
    status, told = train(table, tmp_path / "made", "--wiring", "bahdanau", "--input-feeding")
    assert status == 1
    assert "input_feeding is true, but Bahdanau's wiring feeds the context instead" in told


def test_training_records_how_without_naming_the_folders_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "table.tsv").write_text(held_out_lines() * 8, encoding="utf-8")
    sizes = ["--vocabulary", "290", "--embedding", "8", "--encoder-state", "4", "--state", "8", "--batch-tokens", "200"]
    validation = next(n for n in range(10_000) if 15 <= bucket(f"The cat has {n} mats.") < 25)
    (tmp_path / "v.en").write_text(f"The cat has {validation} mats.\n")
    (tmp_path / "v.fr").write_text("Un chat.\n")
    named = {"--table": "table.tsv", "--source": "v.en", "--target": "v.fr"}
    files = [part for option, name in named.items() for part in (option, str(tmp_path / name))]
    status, _, told = call(
        "train", *files, *sizes, "--updates", "2", "--out", str(tmp_path / "made"), "--precision", "float32"
    )
    assert status == 0, told
    record: dict[str, Any] = json.loads((tmp_path / "made" / "training.json").read_text(encoding="utf-8"))
    assert record["command"].startswith("python -m model train --table table.tsv --source v.en --target v.fr")
    assert "--updates 2" in record["command"]
    assert record["pairs"] == {"for training": 240, "for validation": 1, "held out": 56, "left out as too long": 0}
    assert record["options"]["updates"] == 2
    card = (tmp_path / "made" / "README.md").read_text(encoding="utf-8")
    assert record["command"] in card
    assert str(tmp_path) not in card + json.dumps(record)
    assert "reading the sentence pairs" in told
