import json
import os
import pickletools
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from benchmarks.server import ROOT
from regard.model.checkpoint import CONFIG, TOKENIZER, WEIGHTS, Pretrained, load, save
from regard.model.seq2seq import Seq2Seq


@pytest.fixture
def folder(tiny_model: Pretrained, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(tiny_model.folder, tmp_path / "mine"))


def refused(folder: Path, *told: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        load(folder)
    message = str(error.value)
    assert all(part in message for part in told), message
    assert "\n" not in message


def test_weights_that_float16_can_hold_come_back_exactly(tiny_model: Pretrained, tmp_path: Path) -> None:
    network = Seq2Seq(tiny_model.config)
    for parameter in network.parameters():
        parameter.data = parameter.data.half().float()
    save(network, tiny_model.tokenizer, tmp_path)
    loaded = load(tmp_path).network.state_dict()
    assert loaded.keys() == network.state_dict().keys()
    for name, value in network.state_dict().items():
        assert loaded[name].dtype == torch.float32
        assert torch.equal(loaded[name], value), name


def test_a_folder_holds_its_three_files_and_no_pickle(tiny_model: Pretrained) -> None:
    files = sorted(tiny_model.folder.iterdir())
    assert [file.name for file in files] == sorted([CONFIG, TOKENIZER, WEIGHTS])
    for file in files:
        with pytest.raises(ValueError, match=r"."):
            list(pickletools.genops(file.read_bytes()))


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_a_missing_file_is_named(name: str, folder: Path) -> None:
    (folder / name).unlink()
    refused(folder, str(folder), f"{name} missing")


@pytest.mark.parametrize("kept", [0, 7, 200, -1])
def test_weights_cut_short_are_refused_by_name(kept: int, folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:kept])
    refused(folder, WEIGHTS, "fetch or train it again")


@pytest.mark.parametrize(
    ("name", "tensor", "reason"),
    [
        ("decoder.W_c.weight", torch.full((16, 48), float("nan")), "NaN or infinity"),
        ("decoder.W_c.weight", torch.full((16, 48), 1e300, dtype=torch.float64), "NaN or infinity"),
        ("decoder.W_c.weight", torch.ones((16, 48), dtype=torch.int32), "int32; accepted are floats"),
        ("decoder.W_c.weight", torch.ones((16, 48), dtype=torch.bool), "bool"),
        ("decoder.W_c.weight", torch.zeros(3, 2), "is (3, 2), config.json asks for (16, 48)"),
        ("embedding.weight", torch.tensor(1.0), "is ()"),
        ("backdoor", torch.zeros(1), "its tensors are not those of config.json"),
        ("decoder.W_c.weight", None, "its tensors are not those of config.json"),
    ],
)
def test_a_tensor_that_is_not_the_network_s_is_refused_by_name(
    name: str, tensor: Tensor | None, reason: str, folder: Path
) -> None:
    weights = {kept: value for kept, value in load_file(folder / WEIGHTS).items() if kept != name}
    save_file(weights if tensor is None else {**weights, name: tensor}, folder / WEIGHTS)
    refused(folder, WEIGHTS, name, reason)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"vocabulary": 17}, TOKENIZER), ({"state": 25}, WEIGHTS), ({"score": "concat"}, WEIGHTS),
        ({"wiring": "bahdanau"}, WEIGHTS), ({"cell": "gru"}, WEIGHTS), ({"score": "psychic"}, CONFIG),
        ({"embedding": 10**18}, CONFIG), ({"wiring": "bahdanau", "input_feeding": True}, "input_feeding"),
    ],
)  # fmt: skip
def test_a_config_of_another_model_is_refused_with_the_file_that_disagrees(
    entries: dict[str, object], told: str, folder: Path
) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, **entries}))
    refused(folder, told)


def test_the_environment_can_name_another_folder_of_models(tmp_path: Path) -> None:
    environment = {**os.environ, "REGARD_PRETRAINED": str(tmp_path)}
    code = "from regard.model.checkpoint import PRETRAINED; print(PRETRAINED)"
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, check=True)
    assert Path(done.stdout.decode().strip()) == tmp_path
