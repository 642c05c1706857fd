import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from jaxtyping import Float
from safetensors import safe_open
from safetensors.torch import load_file
from torch import Tensor

from regard.model.data.corpus import Corpus, read_table
from regard.model.tokenizer import Tokenizer
from tests.support import torchrun
from tests.support.forked_commands import Forked
from tests.support.run_command import ROOT, call

EXACT = "--updates 24 --validate-every 6 --warmup 4 --rate 0.01 --dropout 0 --score concat --wiring bahdanau"
RUN = "--updates 60 --validate-every 15 --warmup 4 --rate 0.01 --save-every 3"  # with dropout


def saved(out: Path) -> int:
    """The update of the run that is kept beside a model, 0 before there is one."""
    state = out.with_name(f"{out.name}.run") / "state.safetensors"
    if not state.exists():
        return 0
    with safe_open(state, "pt") as file:
        return json.loads(file.metadata()["run"])["update"]


def wait_for(out: Path, update: int, processes: list[Forked]) -> None:
    """Until a run has been saved after that update."""
    began = time.monotonic()
    while saved(out) < update:
        assert time.monotonic() < began + torchrun.PATIENCE
        assert all(process.poll() is None for process in processes)
        time.sleep(0.01)


def weights(out: Path) -> Float[Tensor, " N"]:
    """All of them, as exact as the run keeps them."""
    state = load_file(out.with_name(f"{out.name}.run") / "state.safetensors")
    return torch.cat([value.flatten() for name, value in sorted(state.items()) if name.startswith("network.")])


def test_two_processes_give_the_losses_and_the_weights_of_one(tmp_path: Path) -> None:
    table = torchrun.table(tmp_path, 60)
    options = EXACT.split()
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command = [*launch, "-m", "regard", "train", "--table", table, "--out", tmp_path / "two", *torchrun.SMALL.split()]
    two = subprocess.Popen(
        [*command, *options], cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    status, _, told = call(
        "train", "--table", str(table), "--out", str(tmp_path / "one"), *torchrun.SMALL.split(), *options
    )
    assert status == 0, told
    output, told = two.communicate(timeout=torchrun.PATIENCE)
    assert two.returncode == 0, told
    assert (output, told.count("checking the text")) == ("", 1)  # one process speaks
    tokenizer = Tokenizer.load(tmp_path / "one" / "tokenizer.json", ("en", "fr"))
    sizes = [len(batch.source) for batch in Corpus(read_table(table), tokenizer).batches(60, 1)]
    assert min(sizes) == 1  # fewer rows than processes
    assert len(sizes) < 24  # and it was among the updates
    for mine, theirs in zip(torchrun.rows(tmp_path / "one"), torchrun.rows(tmp_path / "two"), strict=True):
        assert mine == pytest.approx(theirs, abs=2e-5)
    one, other = (weights(tmp_path / name) for name in ("one", "two"))
    assert float((one - other).norm() / one.norm()) < 1e-4
    record = json.loads((tmp_path / "two" / "training.json").read_text(encoding="utf-8"))
    assert record["command"].startswith("torchrun --nproc-per-node=2 -m regard train")


def test_killed_processes_started_again_end_with_the_bytes_of_those_never_killed(tmp_path: Path) -> None:
    table, out = torchrun.table(tmp_path), tmp_path / "killed"
    first, second = start = torchrun.start(2, table, out, *RUN.split())
    wait_for(out, 6, start)
    second.kill()
    (status, told), _ = torchrun.ends([first, second])
    assert status == 1
    assert "process 0 of 2 has lost another one, so the training ends here; the same command goes on from" in told
    assert "Traceback" not in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed.run", "pairs.tsv"]
    assert [path.name for path in (tmp_path / "killed.run").iterdir()] == ["state.safetensors"]
    reached = saved(out)
    again = torchrun.start(2, table, out, *RUN.split())
    wait_for(out, reached + 6, again)
    for process in again:
        process.kill()
    torchrun.ends(again)
    assert 0 < reached < saved(out) < 60
    last, unbroken = (torchrun.start(2, table, tmp_path / name, *RUN.split()) for name in ("killed", "unbroken"))
    assert [status for status, _ in torchrun.ends([*last, *unbroken])] == [0] * 4
    for name in ("model.safetensors", "tokenizer.json", "snapshots.npz"):
        assert (out / name).read_bytes() == (tmp_path / "unbroken" / name).read_bytes()
    assert torchrun.rows(out) == torchrun.rows(tmp_path / "unbroken")
