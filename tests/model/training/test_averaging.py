"""The mean of several saves."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from regard.model.checkpoint import Pretrained
from regard.model.training.averaging import average_saves


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
        assert average_saves(tiny_model.network, paths) == [298, 299, 300]
        assert all((value == 3).all() for value in tiny_model.network.state_dict().values())
    finally:
        tiny_model.network.load_state_dict(before)


def test_a_save_that_is_none_or_is_given_twice_is_told(tmp_path: Path, tiny_model: Pretrained) -> None:
    path = saved(tmp_path / "save", tiny_model, 1.0, 100)
    with pytest.raises(ValueError, match="100, 100"):
        average_saves(tiny_model.network, [path, path])
    (tmp_path / "other").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="other: not a save"):
        average_saves(tiny_model.network, [tmp_path / "other"])
