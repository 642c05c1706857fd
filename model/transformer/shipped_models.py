"""Shipped models: the models that come with the package, with languages and sizes."""

from typing import NamedTuple

from regard.model.checkpoint import DEFAULT, PRETRAINED, WEIGHTS
from regard.model.transformer.checkpoint import is_transformer, load_config


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
