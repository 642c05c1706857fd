import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from jaxtyping import Float
from safetensors.torch import load_file
from torch import Tensor

from benchmarks.server import ROOT
from regard.model.data.corpus import Corpus, read_table
from regard.model.tokenizer import Tokenizer
from tests.support.run_command import call
from tests.support.small_training import PATIENCE, SMALL, rows, write_table

EXACT = "--updates 24 --validate-every 6 --warmup 4 --rate 0.01 --dropout 0 --score concat --wiring bahdanau"


def weights(out: Path) -> Float[Tensor, " N"]:
    """All of them, as exact as the run keeps them."""
    state = load_file(out.with_name(f"{out.name}.run") / "state.safetensors")
    return torch.cat([value.flatten() for name, value in sorted(state.items()) if name.startswith("network.")])


def test_two_processes_give_the_losses_and_the_weights_of_one(tmp_path: Path) -> None:
    table = write_table(tmp_path, 60)
    options = EXACT.split()
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command = [*launch, "-m", "regard", "train", "--table", table, "--out", tmp_path / "two", *SMALL.split()]
    two = subprocess.Popen(
        [*command, *options], cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    status, _, told = call("train", "--table", str(table), "--out", str(tmp_path / "one"), *SMALL.split(), *options)
    assert status == 0, told
    output, told = two.communicate(timeout=PATIENCE)
    assert two.returncode == 0, told
    assert (output, told.count("checking the text")) == ("", 1)  # one process speaks
    tokenizer = Tokenizer.load(tmp_path / "one" / "tokenizer.json", ("en", "fr"))
    sizes = [len(batch.source) for batch in Corpus(read_table(table), tokenizer).batches(60, 1)]
    assert min(sizes) == 1  # fewer rows than processes
    assert len(sizes) < 24  # and it was among the updates
    for mine, theirs in zip(rows(tmp_path / "one"), rows(tmp_path / "two"), strict=True):
        assert mine == pytest.approx(theirs, abs=2e-5)
    one, other = (weights(tmp_path / name) for name in ("one", "two"))
    assert float((one - other).norm() / one.norm()) < 1e-4
    record = json.loads((tmp_path / "two" / "training.json").read_text(encoding="utf-8"))
    assert record["command"].startswith("torchrun --nproc-per-node=2 -m regard train")
