"""Models and what lies beside them in their folders, loaded once and shared by all visitors.

What is cached is frozen and keyed by everything it depends on, so nobody can see or change what another typed.
"""

import csv
import json
from dataclasses import replace
from typing import Any

import streamlit as st

from app.models.registry import folder, languages, model_names, own
from app.wording import LONGEST, between, model_title
from model.cards.card import CARD, HISTORY, SCORES, TRAINING, read_scores
from model.checkpoint import CONFIG, Pretrained, load
from model.config import Config
from model.synthetic.tasks import TASKS
from model.training.snapshots import SNAPSHOTS, Snapshots


@st.cache_resource(max_entries=8, show_spinner="Reading the model's weights")
def pretrained(name: str) -> Pretrained:
    return replace(load(folder(name)), name=name)  # which may be another than the folder's


def title(name: str) -> str:
    """What a model is called on screen: by its attention, and by its folder too where another is called the same."""
    mine = own()
    if name in mine:
        return mine[name].title
    return _titles(tuple(other for other in model_names() if other not in mine)).get(name, name)


@st.cache_resource(max_entries=4, show_spinner=False)
def _titles(names: tuple[str, ...]) -> dict[str, str]:
    """Of all models together; one that cannot be read is called by its folder."""
    found, usual = {}, languages(names[0])
    for name in names:
        try:
            config = Config.load(folder(name) / CONFIG)
            does = f" · {_does(name, config)}" if usual and config.languages != usual else ""
            found[name] = f"{model_title(config)}{does}"
        except ValueError:
            found[name] = name
    called = list(found.values())
    return {name: title if called.count(title) == 1 else f"{title} ({name})" for name, title in found.items()}


def _does(name: str, config: Config) -> str:
    """The task that a model practised, or what it translates into what."""
    record = folder(name) / TRAINING
    task = json.loads(record.read_text(encoding="utf-8")).get("task") if record.is_file() else None
    return task if task in TASKS else between(config.languages)


@st.cache_resource(max_entries=64, show_spinner=False)
def attends(name: str) -> bool:
    """Whether a model has attention; one that cannot be read is taken to have it, and is told of when it is used."""
    try:
        return Config.load(folder(name) / CONFIG).score != "none"
    except ValueError:
        return True


@st.cache_resource(max_entries=64, show_spinner=False)
def scores(name: str) -> dict[str, Any]:
    """What `python -m model evaluate` measured; empty where it never did."""
    place = folder(name)
    return read_scores(place) if (place / SCORES).is_file() else {}


@st.cache_resource(max_entries=8, show_spinner=False)
def snapshots(name: str) -> Snapshots | None:
    """What was recorded while the model learned, if anything was."""
    file = folder(name) / SNAPSHOTS
    return Snapshots.load(file) if file.is_file() else None


@st.cache_resource(max_entries=8, show_spinner=False)
def history(name: str) -> list[dict[str, float]]:
    """How the losses fell, a row for each validation; empty where no record was kept."""
    file = folder(name) / HISTORY
    if not file.is_file():
        return []
    try:
        with file.open(newline="", encoding="utf-8") as rows:
            return [{column: float(value) for column, value in row.items()} for row in csv.DictReader(rows)]
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file}: no history of a training run ({error})") from error


@st.cache_resource(max_entries=64, show_spinner=False)
def usual_length(name: str) -> int:
    """Tokens that 99 % of the sentences of its training stay within; what the page allows where no record was kept."""
    record = folder(name) / TRAINING
    if not record.is_file():
        return LONGEST
    known = json.loads(record.read_text(encoding="utf-8")).get("source_tokens", {})
    return known.get("99th percentile", LONGEST)


@st.cache_resource(max_entries=6, show_spinner=False)
def card(name: str) -> str:
    """The model card, which commands write from the records of training and evaluation, without its title."""
    file = folder(name) / CARD
    if not file.is_file():
        return "This model has no card; `python -m model evaluate` writes one."
    return file.read_text(encoding="utf-8").partition("\n")[2]
