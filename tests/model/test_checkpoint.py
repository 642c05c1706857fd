import json
import os
import pickletools
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from regard.model.checkpoint import CONFIG, TOKENIZER, WEIGHTS, Pretrained, fingerprint, load, save
from regard.model.seq2seq import Seq2Seq
from regard.model.translate import translate
from tests.support.every_kind import ATTENTIONS, named
from tests.support.run_command import ROOT


@pytest.fixture
def folder(tiny_model: Pretrained, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(tiny_model.folder, tmp_path / "mine"))


def change(folder: Path, edit: Callable[[dict[str, Tensor]], object]) -> None:
    weights = load_file(folder / WEIGHTS)
    edit(weights)
    save_file(weights, folder / WEIGHTS)


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


def test_saving_what_was_loaded_writes_the_same_bytes(tiny_model: Pretrained, tmp_path: Path) -> None:
    save(tiny_model.network, tiny_model.tokenizer, tmp_path)
    assert fingerprint(tmp_path) == tiny_model.fingerprint


def test_a_folder_holds_its_three_files_and_no_pickle(tiny_model: Pretrained) -> None:
    files = sorted(tiny_model.folder.iterdir())
    assert [file.name for file in files] == sorted([CONFIG, TOKENIZER, WEIGHTS])
    for file in files:
        with pytest.raises(ValueError, match=r"."):
            list(pickletools.genops(file.read_bytes()))


def test_a_loaded_network_is_ready_to_translate_and_asks_for_no_gradients(tiny_model: Pretrained) -> None:
    assert not tiny_model.network.training
    assert not any(parameter.requires_grad for parameter in tiny_model.network.parameters())


def test_loading_does_not_disturb_random_numbers(tiny_model: Pretrained) -> None:
    before = torch.get_rng_state()
    load(tiny_model.folder)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_model_can_be_loaded_in_float64(tiny_model: Pretrained) -> None:
    precise = load(tiny_model.folder, torch.float64)
    assert {value.dtype for value in precise.network.state_dict().values()} == {torch.float64}
    single, double = (translate(model, ["I love you."])[0] for model in (tiny_model, precise))
    assert double.weights.dtype == "float64"
    assert double.log_probability == pytest.approx(single.log_probability, abs=1e-3)


def test_the_name_is_that_of_the_folder(folder: Path) -> None:
    assert load(folder).name == "mine"
    assert load(str(folder)).folder == folder


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_the_fingerprint_changes_with_any_byte_of_any_file(name: str, folder: Path) -> None:
    prints = {fingerprint(folder)}
    content = (folder / name).read_bytes()
    for place in (0, len(content) // 2, len(content) - 1):
        (folder / name).write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        prints.add(fingerprint(folder))
    assert len(prints) == 4


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_a_missing_file_is_named(name: str, folder: Path) -> None:
    (folder / name).unlink()
    refused(folder, str(folder), f"{name} missing")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "nowhere")


@pytest.mark.parametrize("kept", [0, 7, 200, -1])
def test_weights_cut_short_are_refused_by_name(kept: int, folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:kept])
    refused(folder, WEIGHTS, "fetch or train it again")


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER])
def test_other_files_cut_short_are_refused_by_name(name: str, folder: Path) -> None:
    (folder / name).write_bytes((folder / name).read_bytes()[:-9])
    refused(folder, name)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_single_nan_or_infinity_is_refused_with_the_tensor_s_name(value: float, folder: Path) -> None:
    change(folder, lambda weights: weights["decoder.W_c.weight"].view(-1)[-1:].fill_(value))
    refused(folder, WEIGHTS, "decoder.W_c.weight", "NaN or infinity")


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        (torch.float64, 1e300, "NaN or infinity"),
        (torch.int32, 1, "int32; accepted are floats"),
        (torch.bool, 1, "bool"),
    ],
)
def test_numbers_that_the_network_cannot_compute_with_are_refused(
    kind: torch.dtype, value: float, reason: str, folder: Path
) -> None:
    change(folder, lambda weights: weights.update({"decoder.W_c.weight": torch.full((16, 48), value, dtype=kind)}))
    refused(folder, WEIGHTS, "decoder.W_c.weight", reason)


def test_a_tensor_without_dimensions_is_refused(folder: Path) -> None:
    change(folder, lambda weights: weights.update({"embedding.weight": torch.tensor(1.0)}))
    refused(folder, WEIGHTS, "embedding.weight is ()")


def test_a_tensor_of_another_shape_is_refused_with_both_shapes(folder: Path) -> None:
    change(folder, lambda weights: weights.update({"decoder.W_c.weight": torch.zeros(3, 2)}))
    refused(folder, WEIGHTS, "decoder.W_c.weight is (3, 2)", "(16, 48)")


def test_a_tensor_too_many_is_refused_by_name(folder: Path) -> None:
    change(folder, lambda weights: weights.update({"backdoor": torch.zeros(1)}))
    refused(folder, WEIGHTS, "backdoor")


def test_a_tensor_too_few_is_refused_by_name(folder: Path) -> None:
    change(folder, lambda weights: weights.pop("decoder.W_c.weight"))
    refused(folder, WEIGHTS, "decoder.W_c.weight")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("vocabulary", 17, TOKENIZER), ("state", 25, WEIGHTS), ("score", "concat", WEIGHTS), ("score", "none", WEIGHTS),
        ("wiring", "bahdanau", WEIGHTS), ("cell", "gru", WEIGHTS), ("score", "psychic", CONFIG),
        ("wiring", "sideways", CONFIG), ("embedding", 10**18, CONFIG), ("state", 10**9, CONFIG),
    ],
)  # fmt: skip
def test_a_config_of_another_model_is_refused_with_the_file_that_disagrees(
    name: str, value: object, told: str, folder: Path
) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, name: value}))
    refused(folder, told)


def test_input_feeding_in_bahdanau_s_wiring_is_refused_with_the_config_s_name(folder: Path) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, "wiring": "bahdanau", "input_feeding": True}))
    refused(folder, CONFIG, "input_feeding")


@pytest.mark.parametrize("attention", ATTENTIONS, ids=named)
def test_every_attention_is_loaded_as_it_was_saved(
    attention: dict[str, Any], make_model: Callable[..., Pretrained], tmp_path: Path
) -> None:
    model = make_model(**attention)
    save(model.network, model.tokenizer, tmp_path)
    assert load(tmp_path).config == model.config
    assert fingerprint(tmp_path) == model.fingerprint


def test_the_environment_can_name_another_folder_of_models(tmp_path: Path) -> None:
    environment = {**os.environ, "REGARD_PRETRAINED": str(tmp_path)}
    code = "from regard.model.checkpoint import PRETRAINED; print(PRETRAINED)"
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, check=True)
    assert Path(done.stdout.decode().strip()) == tmp_path


def test_a_dot_score_between_unequal_sizes_is_refused_with_the_config_s_name(folder: Path) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, "score": "dot", "state": 10}))
    name = "decoder.cell.rnn.weight_hh_l0"
    change(folder, lambda weights: weights.update({name: weights[name][:, :10].contiguous()}))
    refused(folder, CONFIG, "24 is not 10")


def test_a_save_that_fails_leaves_the_model_that_was_there(folder: Path, tiny_model: Pretrained) -> None:
    before = fingerprint(folder)
    (folder / f".{WEIGHTS}.partial").mkdir()  # nothing can be written there
    with pytest.raises(Exception, match=r"."):
        save(tiny_model.network, tiny_model.tokenizer, folder)
    assert fingerprint(folder) == before
