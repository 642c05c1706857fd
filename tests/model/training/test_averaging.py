from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from regard.model.checkpoint import Pretrained, fingerprint, save
from regard.model.training.averaging import Averaged, average


def saved(path: Path, model: Pretrained, value: float, update: int) -> Path:
    tensors = {f"network.{name}": torch.full(one.shape, value) for name, one in model.network.state_dict().items()}
    save_file(tensors, path, {"run": f'{{"update": {update}}}'})
    return path


def test_the_network_has_the_mean_of_the_saves(tmp_path: Path, tiny_model: Pretrained) -> None:
    paths = [
        saved(tmp_path / f"{place}", tiny_model, value, 300 - place) for place, value in enumerate((1.0, 2.0, 6.0))
    ]
    before = {name: value.clone() for name, value in tiny_model.network.state_dict().items()}
    try:
        assert average(tiny_model.network, paths) == Averaged([298, 299, 300], {})
        assert all((value == 3).all() for value in tiny_model.network.state_dict().values())
    finally:
        tiny_model.network.load_state_dict(before)


def test_a_save_that_is_none_or_is_given_twice_is_told(tmp_path: Path, tiny_model: Pretrained) -> None:
    path = saved(tmp_path / "save", tiny_model, 1.0, 100)
    with pytest.raises(ValueError, match="of 2 saves"):
        average(tiny_model.network, [path, path])
    (tmp_path / "other").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="other: neither a save"):
        average(tiny_model.network, [tmp_path / "other"])


def test_a_model_counts_as_much_as_a_save(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder = tmp_path / "model"
    save(tiny_model.network, tiny_model.tokenizer, folder)
    before = {name: value.clone() for name, value in tiny_model.network.state_dict().items()}
    try:
        made = average(tiny_model.network, [saved(tmp_path / "save", tiny_model, 1.0, 100), folder])
        assert made == Averaged([100], {"model": fingerprint(folder)})
        for name, value in tiny_model.network.state_dict().items():
            torch.testing.assert_close(value, (before[name] + 1) / 2, atol=1e-3, rtol=1e-3)
    finally:
        tiny_model.network.load_state_dict(before)
