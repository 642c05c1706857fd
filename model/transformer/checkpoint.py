"""Checkpoint of a Transformer, which `config.json` tells from a recurrent network's, and the list of shipped models."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch

from regard.model.checkpoint import (
    CONFIG,
    CPU,
    DEFAULT,
    PRETRAINED,
    WEIGHTS,
    AnyPretrained,
    Pretrained,
    fingerprint,
    load,
    read_parts,
)
from regard.model.config import Config, read_config
from regard.model.linear import make_ready
from regard.model.seq2seq import Seq2Seq
from regard.model.transformer.trace import TransformerTrace
from regard.model.transformer.transformer import NETWORK, Transformer, TransformerConfig


@dataclass(frozen=True)
class PretrainedTransformer(AnyPretrained[TransformerTrace]):
    """A model with a Transformer."""

    config: TransformerConfig
    network: Transformer


def config_of(given: Any) -> Config | TransformerConfig:
    """Build the configuration of any kind of network from a file's values."""
    transformer = isinstance(given, dict) and given.get("network") == NETWORK
    return (TransformerConfig if transformer else Config).of(given)


def load_config(path: Path) -> Config | TransformerConfig:
    """Load the configuration of any kind of network. Raises InputError, naming the file, for a bad entry."""
    return read_config(path, config_of)


def build(config: Config | TransformerConfig) -> Seq2Seq | Transformer:
    """Build a network with random parameters."""
    return Transformer(config) if isinstance(config, TransformerConfig) else Seq2Seq(config)


def load_any(folder: Path | str, device: torch.device = CPU) -> Pretrained | PretrainedTransformer:
    """Read a model folder; its network computes on the device. Raises InputError naming the missing or invalid
    file and the reason."""
    file = Path(folder) / CONFIG
    transformer = file.is_file() and isinstance(load_config(file), TransformerConfig)
    return load_transformer(folder, device=device) if transformer else load(folder, device=device)


def load_transformer(
    folder: Path | str, dtype: torch.dtype = torch.float32, device: torch.device = CPU
) -> PretrainedTransformer:
    """Load a Transformer's model folder. Raises InputError naming the file that is missing or wrong."""
    folder = Path(folder)
    config, tokenizer, network = read_parts(folder, TransformerConfig, Transformer, dtype, device)
    make_ready(network.embedding.weight)
    return PretrainedTransformer(folder.absolute().name, folder, config, tokenizer, network, fingerprint(folder))


class ShippedModel(NamedTuple):
    """A model that comes with the package."""

    name: str
    languages: tuple[str, str]  # source and target
    network: str  # "recurrent" or "transformer"
    bytes: int  # of the weights file


def shipped_models() -> list[ShippedModel]:
    """List the shipped models, the default one first."""
    found = sorted((path.parent for path in PRETRAINED.glob(f"*/{CONFIG}")), key=lambda one: (one.name != DEFAULT, one))
    configs = {folder: load_config(folder / CONFIG) for folder in found}
    return [
        ShippedModel(
            folder.name,
            config.languages,
            "transformer" if isinstance(config, TransformerConfig) else "recurrent",
            (folder / WEIGHTS).stat().st_size,
        )
        for folder, config in configs.items()
    ]
