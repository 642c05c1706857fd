"""Weight averaging: the mean of the parameters of several saves of a run, and of models that it began with.

At a constant learning rate the parameters move around a good point, and the mean of several saves is nearer to it than
each of them (Vaswani et al. 2017, section 6.1; Izmailov et al. 2018). A mean that includes the model a run began with
keeps more of what that model learned (Wortsman et al. 2022).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from regard.model.checkpoint import WEIGHTS, fingerprint
from regard.model.input_error import InputError
from regard.model.network import AnyNetwork
from regard.model.training.optimizer_state import NETWORK


@dataclass(frozen=True)
class Averaged:
    """The parts of a mean: the update of each save, and the fingerprint of each model by its folder's name."""

    updates: list[int]
    models: dict[str, str]


def average(network: AnyNetwork, paths: Sequence[Path]) -> Averaged:
    """Give the network the mean parameters of saved runs and of model folders, each counted once. Raises InputError
    naming a file that is not a save or model of this network, or an update that is given twice."""
    sums = {name: torch.zeros_like(value, dtype=torch.float64) for name, value in network.state_dict().items()}
    updates, models = [], {}
    for path in paths:
        prefix, weights = ("", path / WEIGHTS) if path.is_dir() else (NETWORK, path)
        try:
            with safe_open(weights, framework="pt") as file:
                for name in sums:
                    sums[name] += file.get_tensor(f"{prefix}{name}")
                if path.is_dir():
                    models[path.absolute().name] = fingerprint(path)
                else:
                    updates.append(json.loads(file.metadata()["run"])["update"])
        except (OSError, SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: neither a save of this run nor a model like it ({error})") from error
    if len(set(updates)) + len(models) < len(paths):
        raise InputError(f"of {len(paths)} saves and models some are the same; each must be given once")
    network.load_state_dict({name: (total / len(paths)).to(torch.float32) for name, total in sums.items()})
    return Averaged(sorted(updates), models)
