"""Checkpoint averaging: the mean of the parameters that several saves of one run hold.

At a constant learning rate the parameters wander about a good point, and their mean is nearer to it than each of them;
so a run need not wait for its rate to fall (Vaswani et al. 2017, section 6.1; Izmailov et al. 2018).
"""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from regard.model.input_error import InputError
from regard.model.network import AnyNetwork
from regard.model.training.optimizer_state import NETWORK


def average_saves(network: AnyNetwork, paths: Sequence[Path]) -> list[int]:
    """Give the network the mean parameters of the saved runs. Returns the update of each save, in order.

    Raises InputError naming the file that is no save of a run of this network, or the update that is given twice.
    """
    sums = {name: torch.zeros_like(value, dtype=torch.float64) for name, value in network.state_dict().items()}
    updates = []
    for path in paths:
        try:
            with safe_open(path, framework="pt") as file:
                for name in sums:
                    sums[name] += file.get_tensor(f"{NETWORK}{name}")
                updates.append(json.loads(file.metadata()["run"])["update"])
        except (OSError, SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: not a save of this run ({error})") from error
    if len(set(updates)) < len(updates):
        raise InputError(f"the saves are of the updates {', '.join(map(str, updates))}; each must be given once")
    network.load_state_dict({name: (total / len(paths)).to(torch.float32) for name, total in sums.items()})
    return sorted(updates)
