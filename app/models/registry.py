"""Registry: the models a visitor may choose from, and each one's folder.

Everybody has the models that come with the program and those the server was started with. A model that a visitor
trained or imported is available to that visitor alone: its name cannot be guessed and is forgotten with the session.
"""

import os
import time
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.models.settings import MODELS_SETTING, models_in
from regard.model.checkpoint import COMPARED, CONFIG, DEFAULT, PRETRAINED
from regard.model.config import AnyConfig
from regard.model.input_error import InputError
from regard.model.transformer.checkpoint import load_config
from regard.model.transformer.transformer import TransformerConfig


class OwnModel(NamedTuple):
    """A visitor's own model: its folder and its title on screen."""

    folder: Path
    title: str


def model_names() -> list[str]:
    """Return the models on offer to this visitor: the default first, then everybody's, then the visitor's own."""
    return [*(_shared_models() or [DEFAULT]), *own()]


def recurrent_names() -> list[str]:
    """Return the models with a recurrent network, for screens about a single attention per step."""
    return [name for name in model_names() if not transforms(name)]


def transforms(name: str) -> bool:
    """True if a model has a Transformer; one that cannot be read is reported when used."""
    return isinstance(_config(folder(name), int(time.monotonic())), TransformerConfig)


def alike(name: str) -> list[str]:
    """Return the recurrent models on offer with the same languages as this one, itself included."""
    return alike_among(name, recurrent_names())


def alike_among(name: str, names: Sequence[str]) -> list[str]:
    """Return the models among `names` with the same languages as this one, itself included."""
    wanted = languages(name)
    return [other for other in names if other == name or (wanted and languages(other) == wanted)]


def languages(name: str) -> tuple[str, str] | None:
    """Return source and target language, or None if the model cannot be read."""
    config = _config(folder(name), int(time.monotonic()))
    return config.languages if config else None


@lru_cache(maxsize=64)
def _config(folder: Path, _second: int) -> AnyConfig | None:
    try:
        return load_config(folder / CONFIG)
    except InputError:
        return None


def folder(name: str) -> Path:
    """Return a model's folder; an unknown name gets a nonexistent folder beside the shipped models."""
    mine = own()
    return mine[name].folder if name in mine else _shared_models().get(name, PRETRAINED / name)


def ships(name: str) -> bool:
    """Return True for a model that comes with the program."""
    return folder(name).parent == PRETRAINED


def own() -> dict[str, OwnModel]:
    """Return this visitor's own models by name; none outside a visit."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return {}
    return st.session_state.setdefault("own", {})


def put(name: str, folder: Path, title: str) -> None:
    """Offer a model to this visitor alone. The name must be one that cannot be guessed."""
    own()[name] = OwnModel(folder, distinct(title, [owned.title for owned in own().values()], "{} ({})"))


def distinct(name: str, taken: Collection[str], numbered: str = "{}-{}") -> str:
    """Return the name, with a number from 2 on if it is taken."""
    names = chain([name], (numbered.format(name, number) for number in count(2)))
    return next(each for each in names if each not in taken)


def drop(name: str) -> None:
    """Withdraw a visitor's model."""
    own().pop(name, None)


def _shared_models() -> dict[str, Path]:
    """Return everybody's models by name, the default first; the disk is read once a second at most."""
    return _numbered((PRETRAINED, *_places()), int(time.monotonic()))


@lru_cache(maxsize=8)
def _numbered(places: tuple[Path, ...], _second: int) -> dict[str, Path]:
    """Return the folders by name; of several with one name, the later ones are numbered."""
    folders: dict[str, Path] = {}
    for path in [model for place in places for model in models_in(place)]:
        folders[distinct(path.name, folders)] = path
    return dict(sorted(folders.items(), key=lambda item: (item[0] != DEFAULT, item[0] != COMPARED)))


def _places() -> list[Path]:
    return [Path(place).absolute() for place in os.environ.get(MODELS_SETTING, "").split(os.pathsep) if place]
