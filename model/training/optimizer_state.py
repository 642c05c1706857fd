"""State of a network and its optimizer, as named tensors: enough to continue bit for bit."""

import torch
from torch import Tensor

from regard.model.network import AnyNetwork

NETWORK, ADAM = "network.", "adam."


def learned(network: AnyNetwork, adam: torch.optim.Adam) -> dict[str, Tensor]:
    tensors = {f"{NETWORK}{name}": value for name, value in network.state_dict().items()}
    for index, entries in adam.state_dict()["state"].items():
        tensors |= {f"{ADAM}{index}.{name}": value for name, value in entries.items()}
    return tensors


def relearn(network: AnyNetwork, adam: torch.optim.Adam, tensors: dict[str, Tensor]) -> None:
    """Restore both from the tensors. Raises KeyError or RuntimeError if they belong to another network."""
    network.load_state_dict(_under(NETWORK, tensors))
    values = adam.state_dict()
    count = len(values["param_groups"][0]["params"])
    values["state"] = {index: _under(f"{ADAM}{index}.", tensors) for index in range(count)}
    adam.load_state_dict(values)


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
