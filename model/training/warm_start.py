"""Warm start: begin a run with the parameters of an already trained model.

A network with input feeding (Luong et al. 2015, section 3.3) may begin from one without: the columns of the decoder's
input matrix that read h̃ begin as zeros, so that at first both compute the same numbers.
"""

from dataclasses import asdict

import torch
from torch import Tensor

from regard.model.checkpoint import TOKENIZER, AnyModel
from regard.model.config import AnyConfig, Config
from regard.model.input_error import InputError
from regard.model.network import AnyNetwork

READS_INPUT = "decoder.cell.rnn.weight_ih_l0"


def warm_start(network: AnyNetwork, earlier: AnyModel) -> None:
    """Copy the earlier model's parameters into the network. Raises InputError if they do not fit."""
    parameters = {name: value.clone() for name, value in earlier.network.state_dict().items()}
    expected = network.state_dict()
    if _feeds(network) and not _feeds(earlier.network) and READS_INPUT in parameters:
        narrow, columns = parameters[READS_INPUT], expected[READS_INPUT].shape[1]
        zeros = narrow.new_zeros(len(narrow), max(0, columns - narrow.shape[1]))
        parameters[READS_INPUT] = torch.cat([narrow, zeros], dim=1)
    if _shapes(parameters) != _shapes(expected):
        raise InputError(f"{earlier.folder} is another network: {_differences(earlier, network.config)}")
    network.load_state_dict(parameters)


def _differences(earlier: AnyModel, config: AnyConfig) -> str:
    """Name the options by which two networks differ."""
    theirs, mine = ({"network": "recurrent", **asdict(one)} for one in (earlier.config, config))
    names = [name for name in mine if name not in ("languages", "dropout") and mine[name] != theirs.get(name)]
    if "network" in names:
        names = ["network"]
    told = ", ".join(f"--{name.replace('_', '-')} {theirs[name]} there and {mine[name]} here" for name in names)
    return told + f"; --tokenizer {earlier.folder / TOKENIZER} has the same" * ("vocabulary" in names)


def _feeds(network: AnyNetwork) -> bool:
    return isinstance(network.config, Config) and network.config.input_feeding


def _shapes(tensors: dict[str, Tensor]) -> dict[str, torch.Size]:
    return {name: tensor.shape for name, tensor in tensors.items()}
