"""An unfinished run outlives its process, with all that was noted on the way."""

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from model.checkpoint import WEIGHTS, Pretrained
from model.config import Config
from model.corpus import Corpus, Pair, bucket
from model.runs import Run, restore_run, save_run
from model.seq2seq import Seq2Seq
from model.snapshots import Snapshots, look, moments
from model.tokenizer import plain_tokenizer
from model.training import Options, Training
from tests.command_line import ROOT
from tests.snapshots import assert_same

PATIENCE = 300  # seconds for a process that needs a few
UPDATES = 100  # more than are made until the first one that is saved is seen
DIGITS = plain_tokenizer([str(digit) for digit in range(10)])
PAIRS = tuple(Pair(" ".join(str(number)), " ".join(reversed(str(number)))) for number in range(100, 140))
WATCHED = Snapshots(PAIRS[:2], ())


def begin(watched: Snapshots = WATCHED) -> Run:
    torch.manual_seed(0)
    config = Config(len(DIGITS), ("plain", "plain"), embedding=8, encoder_state=8, state=16, dropout=0.2)
    options = Options(updates=12, batch_tokens=80, rate=0.01, warmup=2, validate_every=3)
    return Run(Training(Seq2Seq(config), Corpus(PAIRS[8:], DIGITS), Corpus(PAIRS[:8], DIGITS), options), watched)


@pytest.fixture
def run() -> Run:
    """After a few updates, with two moments and two rows of history."""
    begun = begin()
    for progress in islice(begun.training.run(), 4):
        if progress.update in (1, 4):
            begun.snapshots = begun.snapshots.with_moment(look(progress.network, DIGITS, PAIRS[:2], progress.update))
            begun.history.append({"update": progress.update, "loss": 0.1 + progress.loss})
    return begun


def test_a_run_taken_up_has_the_snapshots_and_the_history_that_were_saved(run: Run, tmp_path: Path) -> None:
    save_run(run, tmp_path / "state.safetensors")
    other = begin()
    restore_run(other, tmp_path / "state.safetensors")
    assert [moment.update for moment in other.snapshots.moments] == [1, 4]
    assert_same(other.snapshots, run.snapshots)
    assert other.history == run.history
    assert other.training.update == 4


def test_saving_what_was_taken_up_writes_the_same_tensors_and_notes(run: Run, tmp_path: Path) -> None:
    contents = []
    for name in ("first", "second"):
        save_run(run, tmp_path / name)
        with safe_open(tmp_path / name, "pt") as file:
            contents.append((file.metadata(), {key: file.get_tensor(key) for key in file.keys()}))  # noqa: SIM118
        run = begin()
        restore_run(run, tmp_path / "first")
    (notes, tensors), (notes_again, tensors_again) = contents
    assert notes == notes_again
    assert tensors.keys() == tensors_again.keys()
    assert all(torch.equal(value, tensors_again[name]) for name, value in tensors.items())


@pytest.mark.parametrize("pairs", [PAIRS[:1], PAIRS[1:3], PAIRS[1::-1]], ids=["fewer", "others", "another order"])
def test_a_run_that_watched_other_pairs_is_refused_and_changes_nothing(
    pairs: tuple[Pair, ...], run: Run, tmp_path: Path
) -> None:
    save_run(run, tmp_path / "state.safetensors")
    other = begin(Snapshots(pairs, ()))
    with pytest.raises(ValueError, match=r"state\.safetensors: the saved run watched other sentence pairs"):
        restore_run(other, tmp_path / "state.safetensors")
    assert (other.training.update, other.history, other.snapshots.moments) == (0, [], ())


@pytest.mark.parametrize("spoil", [lambda content: content[:-100], lambda content: b"", lambda content: b"no run" * 9])
def test_a_broken_file_of_a_run_is_refused_by_name(spoil: Callable[[bytes], bytes], run: Run, tmp_path: Path) -> None:
    save_run(run, tmp_path / "state.safetensors")
    (tmp_path / "state.safetensors").write_bytes(spoil((tmp_path / "state.safetensors").read_bytes()))
    with pytest.raises(ValueError, match=r"state\.safetensors"):
        restore_run(begin(), tmp_path / "state.safetensors")


def test_a_model_is_not_taken_for_a_run(tiny_model: Pretrained) -> None:
    with pytest.raises(ValueError, match=WEIGHTS):
        restore_run(begin(), tiny_model.folder / WEIGHTS)


def test_a_save_that_fails_leaves_the_run_that_was_there(run: Run, tmp_path: Path) -> None:
    save_run(run, tmp_path / "state.safetensors")
    (tmp_path / ".state.safetensors.partial").mkdir()  # nothing can be written there
    run.history.append({"update": 12})
    with pytest.raises(Exception, match=r"."):
        save_run(run, tmp_path / "state.safetensors")
    other = begin()
    restore_run(other, tmp_path / "state.safetensors")
    assert other.history == run.history[:-1]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Sentence pairs of which enough fall to either part."""
    lines = [f"{number:b}".replace("0", "no ").replace("1", "yes ") for number in range(1, 2000)]
    train = [line for line in lines if bucket(line) >= 25][:400]
    validation = [line for line in lines if 15 <= bucket(line) < 25][:8]
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "".join(f"{line}\t{line.replace('yes', 'oui').replace('no', 'non')}\n" for line in train + validation)
    )
    return path


def start(table: Path, out: Path) -> subprocess.Popen[bytes]:
    options = (
        f"--updates {UPDATES} --save-every 4 --validate-every {UPDATES // 4} --batch-tokens 60 --warmup 5 --rate 0.01 "
        "--vocabulary 300 --embedding 8 --encoder-state 8 --state 16 --precision float32"
    )  # fmt: skip
    command = [sys.executable, "-m", "model", "train", "--table", table, "--out", out, *options.split()]
    return subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def saved(path: Path) -> dict[str, int]:
    with safe_open(path, "pt") as file:
        return json.loads(file.metadata()["run"])


def test_a_killed_process_started_again_ends_with_the_bytes_of_one_never_killed(table: Path, tmp_path: Path) -> None:
    unbroken = start(table, tmp_path / "unbroken")
    killed = start(table, tmp_path / "killed")
    state = tmp_path / "killed.run" / "state.safetensors"
    while not state.exists() and killed.poll() is None:
        time.sleep(0.002)
    killed.kill()  # SIGKILL: no chance to tidy up
    assert killed.wait(PATIENCE) != 0
    assert not (tmp_path / "killed").exists()
    assert 0 < saved(state)["position"] == saved(state)["update"] < UPDATES  # within the first epoch
    again = start(table, tmp_path / "killed")
    assert (unbroken.wait(PATIENCE), again.wait(PATIENCE)) == (0, 0)
    for name in ("model.safetensors", "config.json", "tokenizer.json", "snapshots.npz"):
        assert (tmp_path / "unbroken" / name).read_bytes() == (tmp_path / "killed" / name).read_bytes()
    seen = Snapshots.load(tmp_path / "killed" / "snapshots.npz")
    assert [moment.update for moment in seen.moments] == sorted(moments(UPDATES))
    with (tmp_path / "killed" / "history.csv").open(encoding="utf-8") as file:
        assert [row["update"] for row in csv.DictReader(file)] == ["25", "50", "75", "100"]
