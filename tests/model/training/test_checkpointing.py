import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.input_error import InputError
from regard.model.seq2seq import Seq2Seq
from regard.model.training.checkpointing import TrainingRun, average, restore_run, save_run, warm_start
from regard.model.training.snapshots import Snapshots, look, moments
from tests.support import digit_training
from tests.support.forked_commands import Forked
from tests.support.run_command import call
from tests.support.small_training import PATIENCE, SMALL, rows, write_table

UPDATES = 100  # more than are made until the first one that is saved is seen
RUN = f"--updates {UPDATES} --save-every 4 --validate-every {UPDATES // 4} --warmup 5 --rate 0.01"
PAIRS = (Pair("1 2", "2 1"), Pair("3 4 5", "5 4 3"))


def begin() -> TrainingRun:
    return TrainingRun(digit_training.train(), Snapshots(PAIRS, ()))


@pytest.fixture
def run() -> TrainingRun:
    """After a few updates, with two moments and two rows of history."""
    begun = begin()
    for progress in islice(begun.training.run(), 4):
        if progress.update in (1, 4):
            begun.snapshots = begun.snapshots.with_moment(
                look(progress.network, digit_training.DIGITS, PAIRS, progress.update)
            )
            begun.history.append({"update": progress.update, "loss": 0.1 + progress.loss})
    return begun


@pytest.mark.parametrize("spoil", [lambda content: content[:-100], lambda content: b"", lambda content: b"no run" * 9])
def test_a_broken_file_of_a_run_is_refused_by_name(
    spoil: Callable[[bytes], bytes], run: TrainingRun, tmp_path: Path
) -> None:
    save_run(run, tmp_path / "state.safetensors")
    (tmp_path / "state.safetensors").write_bytes(spoil((tmp_path / "state.safetensors").read_bytes()))
    with pytest.raises(ValueError, match=r"state\.safetensors"):
        restore_run(begin(), tmp_path / "state.safetensors")


def test_a_run_of_other_text_is_refused_by_what_differs_and_changes_nothing(run: TrainingRun, tmp_path: Path) -> None:
    run.text = {"file 1, a.tsv": "0a", "vocabulary": "1b"}
    save_run(run, tmp_path / "state.safetensors")
    other = begin()
    other.text = {"file 1, a.tsv": "0a", "vocabulary": "2c"}
    with pytest.raises(ValueError, match=r"the text has changed since the run was saved \(vocabulary\); train on"):
        restore_run(other, tmp_path / "state.safetensors")
    assert (other.training.update, other.history) == (0, [])


def start(table: Path, out: Path) -> Forked:
    return Forked("train", "--table", str(table), "--out", str(out), *SMALL.split(), *RUN.split())


def kill(process: Forked) -> None:
    process.kill()
    assert process.end(PATIENCE)[0] == -signal.SIGKILL


def saved(path: Path) -> dict[str, int]:
    with safe_open(path, "pt") as file:
        return json.loads(file.metadata()["run"])


def kill_while_saving(process: Forked, state: Path) -> None:
    """A pipe stands where the process writes next: when bytes come out of it, the file is half-written."""
    partial = state.with_name(f".{state.name}.partial")
    wait_until(state.exists, process)
    for _ in range(100):
        try:
            os.mkfifo(partial)
            break
        except FileExistsError:  # it is saving just now
            time.sleep(0.01)
    with partial.open("rb", buffering=0) as pipe:
        assert len(pipe.read(1000)) == 1000
        kill(process)
    partial.unlink()


def wait_until(happened: Callable[[], bool], process: Forked) -> None:
    while not happened():
        assert process.poll() is None, process.end(PATIENCE)
        time.sleep(0.002)


def test_a_process_killed_here_and_there_ends_with_the_bytes_of_one_never_killed(tmp_path: Path) -> None:
    table, out = write_table(tmp_path), tmp_path / "killed"
    state = tmp_path / "killed.run" / "state.safetensors"
    unbroken = ("--table", str(table), "--out", str(tmp_path / "unbroken"), *SMALL.split(), *RUN.split())
    assert call("train", *unbroken)[0] == 0
    kill_while_saving(start(table, out), state)
    first = saved(state)
    assert 0 < first["position"] == first["update"] < UPDATES  # within the first epoch
    between = start(table, out)
    wait_until(lambda: saved(state)["update"] > first["update"], between)
    kill(between)
    assert saved(state)["update"] < UPDATES
    finishing = start(table, out)
    wait_until((tmp_path / ".killed.partial").exists, finishing)  # all updates made, the model is written
    kill(finishing)
    assert not out.exists()
    status, told = start(table, out).end(PATIENCE)
    assert status == 0, told
    assert f"continuing from {state}, after update {UPDATES}" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "killed", "killed.run", "pairs.tsv", "unbroken", "unbroken.run",
    ]  # fmt: skip
    for name in ("model.safetensors", "config.json", "tokenizer.json", "snapshots.npz"):
        assert (tmp_path / "unbroken" / name).read_bytes() == (out / name).read_bytes()
    seen = Snapshots.load(out / "snapshots.npz")
    assert [moment.update for moment in seen.moments] == sorted(moments(UPDATES))
    assert rows(out) == rows(tmp_path / "unbroken")
    assert [row[0] for row in rows(out)] == [25, 50, 75, 100]


def saved_run(path: Path, network: Seq2Seq, value: float, update: int) -> Path:
    tensors = {f"network.{name}": torch.full(one.shape, value) for name, one in network.state_dict().items()}
    save_file(tensors, path, {"run": f'{{"update": {update}}}'})
    return path


def test_the_network_has_the_mean_of_the_saves(tmp_path: Path, make_model: Callable[..., Pretrained]) -> None:
    network = make_model().network
    values = (1.0, 2.0, 6.0)
    paths = [saved_run(tmp_path / f"{place}", network, value, 300 - place) for place, value in enumerate(values)]
    assert average(network, paths) == {"updates": [298, 299, 300], "models": {}}
    assert all((value == 3).all() for value in network.state_dict().values())


def test_a_save_that_is_none_or_is_given_twice_is_told(tmp_path: Path, tiny_model: Pretrained) -> None:
    path = saved_run(tmp_path / "save", tiny_model.network, 1.0, 100)
    with pytest.raises(ValueError, match="of 2 saves"):
        average(tiny_model.network, [path, path])
    (tmp_path / "other").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="other: neither a save"):
        average(tiny_model.network, [tmp_path / "other"])


def test_another_network_is_refused_by_the_options_that_differ(make_model: Callable[..., Pretrained]) -> None:
    earlier = make_model(cell="gru")
    with pytest.raises(InputError, match=r"is another network: --cell gru there and lstm here, --state 24 there and 8"):
        warm_start(Seq2Seq(replace(earlier.config, cell="lstm", state=8)), earlier)
    larger = Seq2Seq(replace(earlier.config, vocabulary=earlier.config.vocabulary + 1))
    with pytest.raises(InputError, match=r"--vocabulary \d+ there .*; --tokenizer .*tokenizer\.json has the same"):
        warm_start(larger, earlier)
