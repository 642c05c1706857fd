"""Registry: which models a visitor may choose from, and in which folder each of them is.

Everybody has those that come with the program and those that the server was started with. A model that a visitor
trained or brought is on offer to that visitor alone: its name cannot be guessed, and is forgotten with the session.
"""

import os
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.models.folders import SETTING, models_in
from regard.model.checkpoint import COMPARED, CONFIG, DEFAULT, PRETRAINED
from regard.model.input_error import InputError
from regard.model.transformer.checkpoint import is_transformer, load_config


class OwnModel(NamedTuple):
    """A visitor's own model: where it is, and what it is called on screen."""

    folder: Path
    title: str


def model_names() -> list[str]:
    """The models on offer to this visitor: the default first, then those of everybody, then the visitor's own."""
    return [*(_everybodys() or [DEFAULT]), *own()]


def recurrent_names() -> list[str]:
    """Those of them that have a recurrent network, for screens about one attention for each step."""
    return [name for name in model_names() if not transforms(name)]


def transforms(name: str) -> bool:
    """Whether a model has a Transformer; one that cannot be read is told of when it is used."""
    return _read_network(folder(name), int(time.monotonic()))


@lru_cache(maxsize=64)
def _read_network(folder: Path, _second: int) -> bool:
    return is_transformer(folder)


def alike(name: str) -> list[str]:
    """The recurrent models on offer that translate between the same languages as this one, which is among them."""
    return alike_among(name, recurrent_names())


def alike_among(name: str, names: Sequence[str]) -> list[str]:
    """The same among these."""
    wanted = languages(name)
    return [other for other in names if other == name or (wanted and languages(other) == wanted)]


def languages(name: str) -> tuple[str, str] | None:
    """Source and target; None of a model that cannot be read."""
    return _read_languages(folder(name), int(time.monotonic()))


@lru_cache(maxsize=64)
def _read_languages(folder: Path, _second: int) -> tuple[str, str] | None:
    try:
        return load_config(folder / CONFIG).languages
    except InputError:
        return None


def folder(name: str) -> Path:
    """Where a model is; a name that nobody knows is looked for, in vain, among those that come with the program."""
    mine = own()
    return mine[name].folder if name in mine else _everybodys().get(name, PRETRAINED / name)


def own() -> dict[str, OwnModel]:
    """This visitor's own models by name; none outside of a visit."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return {}
    return st.session_state.setdefault("own", {})


def put(name: str, folder: Path, title: str) -> None:
    """Offer a model to this visitor alone. The name must be one that cannot be guessed."""
    own()[name] = OwnModel(folder, title)


def drop(name: str) -> None:
    """Offer it no longer."""
    own().pop(name, None)


def _everybodys() -> dict[str, Path]:
    """By name, the default first. One screen asks for them many times; the disk is looked at once a second."""
    return _listed((PRETRAINED, *_places()), int(time.monotonic()))


@lru_cache(maxsize=8)
def _listed(places: tuple[Path, ...], _second: int) -> dict[str, Path]:
    """Of several folders of one name the later ones are numbered."""
    folders: dict[str, Path] = {}
    for path in [model for place in places for model in models_in(place)]:
        name, number = path.name, 2
        while name in folders:
            name, number = f"{path.name}-{number}", number + 1
        folders[name] = path
    return dict(sorted(folders.items(), key=lambda item: (item[0] != DEFAULT, item[0] != COMPARED)))


def _places() -> list[Path]:
    return [Path(place).absolute() for place in os.environ.get(SETTING, "").split(os.pathsep) if place]
