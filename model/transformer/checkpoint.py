"""Checkpoint of a Transformer, which `config.json` tells from a recurrent network's, and the list of shipped models."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch

from regard.model.checkpoint import (
    CONFIG,
    DEFAULT,
    PRETRAINED,
    WEIGHTS,
    AnyPretrained,
    Pretrained,
    fingerprint,
    load,
    read_parts,
)
from regard.model.config import Config
from regard.model.linear import make_ready
from regard.model.seq2seq import Seq2Seq
from regard.model.transformer.trace import TransformerTrace
from regard.model.transformer.transformer import NETWORK, Transformer, TransformerConfig


@dataclass(frozen=True)
class PretrainedTransformer(AnyPretrained[TransformerTrace]):
    """A model with a Transformer."""

    config: TransformerConfig
    network: Transformer


def load_config(path: Path) -> Config | TransformerConfig:
    """Load the configuration of any kind of network. Raises InputError, naming the file, for a bad entry."""
    return (TransformerConfig if is_transformer(path.parent) else Config).load(path)


def config_of(given: Any) -> Config | TransformerConfig:
    """Build the configuration of any kind of network from a file's values."""
    return (TransformerConfig if tells_transformer(given) else Config).of(given)


def config_in(folder: Path) -> Config | TransformerConfig:
    """Read a model folder's configuration. Raises InputError naming the file and the entry."""
    return (TransformerConfig if is_transformer(folder) else Config).load(folder / CONFIG)


def build(config: Config | TransformerConfig) -> Seq2Seq | Transformer:
    """Build a network with random parameters."""
    return Transformer(config) if isinstance(config, TransformerConfig) else Seq2Seq(config)


def load_any(folder: Path | str) -> Pretrained | PretrainedTransformer:
    """Read a model folder. Raises InputError naming the missing or invalid file and the reason."""
    folder = Path(folder)
    return load_transformer(folder) if is_transformer(folder) else load(folder)


def load_transformer(folder: Path | str, dtype: torch.dtype = torch.float32) -> PretrainedTransformer:
    """Load a Transformer's model folder. Raises InputError naming the file that is missing or wrong."""
    folder = Path(folder)
    config, tokenizer, network = read_parts(folder, TransformerConfig, Transformer, dtype)
    make_ready(network.embedding.weight)
    name = folder.absolute().name
    return PretrainedTransformer(name, folder, config, tokenizer, network, fingerprint(folder))


def is_transformer(folder: Path) -> bool:
    """True if `config.json` describes a Transformer; False if it cannot be read."""
    try:
        return tells_transformer(json.loads((folder / CONFIG).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return False


def tells_transformer(given: Any) -> bool:
    """True if these values of a `config.json` describe a Transformer."""
    return isinstance(given, dict) and given.get("network") == NETWORK


class ShippedModel(NamedTuple):
    """A model that comes with the package."""

    name: str
    languages: tuple[str, str]  # source and target
    network: str  # "recurrent" or "transformer"
    bytes: int  # of the weights file


def shipped_models() -> list[ShippedModel]:
    """List the shipped models, the default one first."""
    folders = sorted(path.parent for path in PRETRAINED.glob("*/config.json"))
    return [
        ShippedModel(
            folder.name,
            load_config(folder / "config.json").languages,
            "transformer" if is_transformer(folder) else "recurrent",
            (folder / WEIGHTS).stat().st_size,
        )
        for folder in sorted(folders, key=lambda folder: folder.name != DEFAULT)
    ]
