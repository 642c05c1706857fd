import json
import signal
import time
from pathlib import Path

from regard.model.cards.record_files import SCORES_FILE, TRAINING
from regard.model.checkpoint import load
from regard.model.transformer.checkpoint import PretrainedTransformer, load_any
from regard.model.translate import write
from tests.support.forked_commands import Forked
from tests.support.run_command import call

SMALL = ["--task", "copy", "--longest", "2", "--symbols", "3", "--hidden", "8", "--batch", "4"]
PATIENCE = 120
UPDATES = 600  # of which 250 and 500 are saved; the rate is too low to reach the goal before


def practise(out: Path, *options: str) -> tuple[int, str]:
    status, _, told = call("practise", *SMALL, "--out", str(out), *options)
    return status, told


def test_it_makes_a_model_that_other_commands_can_use(tmp_path: Path) -> None:
    status, told = practise(tmp_path / "made", "--updates", "3", "--sweep", "--attention", "none", "--cell", "lstm")
    assert status == 0, told
    assert "all updates done" in told
    model, scores = load(tmp_path / "made"), json.loads((tmp_path / "made" / SCORES_FILE).read_text(encoding="utf-8"))
    assert (model.config.score, model.config.cell, model.config.initial_state) == ("none", "lstm", "encoder")
    assert scores["model"]["name"] == "made"
    assert [row["length"] for row in scores["task"]["by_length"]] == [1, 2, 3]
    assert len(write(model, ["1 2 0"])) == 1
    assert call("card", str(tmp_path / "made"))[0] == 0
    status, lines, _ = call("translate", "--model", str(tmp_path / "made"), stdin=b"0 1\n")
    assert (status, lines.count(b"\n")) == (0, 1)


def test_a_transformer_practises_and_what_it_has_no_use_for_is_not_recorded(tmp_path: Path) -> None:
    status, told = practise(tmp_path / "made", "--updates", "3", "--network", "transformer", "--heads", "2")
    assert status == 0, told
    model = load_any(tmp_path / "made")
    assert isinstance(model, PretrainedTransformer)
    assert (model.config.heads, model.config.positions) == (2, "sinusoids")
    command = json.loads((tmp_path / "made" / TRAINING).read_text(encoding="utf-8"))["command"]
    assert "--network transformer --heads 2 --layers 2 --positions sinusoids" in command
    assert "--cell" not in command
    assert "a Transformer, an encoder and a decoder of 2 and 2 layers" in (tmp_path / "made" / "README.md").read_text()
    assert call("evaluate", "--model", str(tmp_path / "made"))[0] == 0


def test_a_killed_run_started_again_ends_with_the_bytes_of_one_never_killed(tmp_path: Path) -> None:
    options = ("--updates", str(UPDATES), "--rate", "1e-5")
    command = ("practise", *SMALL, "--out", str(tmp_path / "killed"), *options)
    killed = Forked(*command)
    state = tmp_path / "killed.run" / "state.safetensors"
    while not state.exists() and killed.poll() is None:
        time.sleep(0.01)
    killed.kill()
    assert killed.end(PATIENCE)[0] == -signal.SIGKILL
    assert not (tmp_path / "killed").exists()
    assert Forked(*command).end(PATIENCE)[0] == practise(tmp_path / "unbroken", *options)[0] == 0
    for name in ("model.safetensors", "config.json", "tokenizer.json", "snapshots.npz"):
        assert (tmp_path / "unbroken" / name).read_bytes() == (tmp_path / "killed" / name).read_bytes()
    record = json.loads((tmp_path / "killed" / TRAINING).read_text(encoding="utf-8"))
    assert record["pairs"]["for training"] == UPDATES * 4
