"""Models and traces, loaded once and shared by all visitors.

What is cached is frozen and keyed by everything it depends on, so nobody can see or change what another typed.
"""

import csv
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float
from numpy import ndarray

from app.beam.by_hand import Added, Entry, add
from app.shelf import folder, languages, model_names, own
from app.wording import LONGEST, between, model_title
from model import what_if
from model.analysis.attention_search import Persuasion, persuade
from model.analysis.faithfulness import COUNTERFACTUALS, Counterfactual, counterfactual, kendall, replaced
from model.cards.card import CARD, HISTORY, SCORES, TRAINING, read_scores
from model.checkpoint import CONFIG, DEFAULT, Pretrained, load
from model.config import Config
from model.decoding.beam_expand import expand, finish, grow
from model.decoding.beam_score import Settings
from model.decoding.beam_tree import BeamTree
from model.evaluation.attention_faithfulness import IMPORTANCE, Worth, assess
from model.intervention import Intervention
from model.reference.recompute import Recomputation, Weights, load_weights, recompute
from model.synthetic.tasks import TASKS
from model.trace import Trace
from model.training.snapshots import SNAPSHOTS, Snapshots
from model.translate import force, translate


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


class Timed(NamedTuple):
    trace: Trace
    seconds: float  # it took when it was computed


@st.cache_resource(max_entries=64, show_spinner="Translating")
def timed(name: str, sentence: str, given: str) -> Timed:
    """The model's own translation, or the numbers of the given one, and how long that took."""
    loaded = pretrained(name)
    began = perf_counter()
    found = force(loaded, [(sentence, given)])[0] if given else translate(loaded, [sentence])[0]
    return Timed(found, perf_counter() - began)


def trace(name: str, sentence: str, given: str) -> Trace:
    """The model's own translation, or the numbers of the given one."""
    return timed(name, sentence, given).trace


@st.cache_resource(max_entries=64, show_spinner="Translating with what was changed")
def changed(name: str, sentence: str, given: str, intervention: Intervention) -> Trace:
    """The translation with what a person changed in it; ValueError names the place and why it cannot be done."""
    return what_if.translate(pretrained(name), sentence, intervention, given)


@st.cache_resource(max_entries=16, show_spinner="Searching, and recording every candidate")
def beam(name: str, sentence: str, settings: Settings) -> BeamTree:
    """The whole search in one sentence."""
    return grow(pretrained(name), sentence, settings)


@st.cache_resource(max_entries=16, show_spinner="Going on from the branches opened by hand")
def beam_by_hand(name: str, sentence: str, settings: Settings, entries: tuple[Entry, ...]) -> Added:
    """The same with what a visitor adds to it."""
    loaded, tree = pretrained(name), beam(name, sentence, settings)
    return add(tree, entries, partial(expand, loaded), partial(finish, loaded))


@st.cache_resource(max_entries=32, show_spinner="Exchanging the weights and computing every step again")
def looks(name: str, sentence: str, given: str, seed: int) -> tuple[Counterfactual, ...]:
    """What every step gives with the model's own weights, and with those of each kind in their place."""
    loaded, found = pretrained(name), trace(name, sentence, given)
    own = replaced(loaded, found, found.weights, "the model's own")
    return own, *(counterfactual(loaded, found, kind, seed) for kind in COUNTERFACTUALS)


@st.cache_resource(max_entries=32, show_spinner="Computing gradients, and leaving out each token of the sentence")
def importance(name: str, sentence: str, given: str) -> Mapping[str, Float[ndarray, "T S"]]:
    """What each source token counts at each step: by its weight, and by the measures that do not ask attention."""
    loaded, found = pretrained(name), trace(name, sentence, given)
    measures = {kind: measure(loaded, found) for kind, measure in IMPORTANCE.items()}
    for values in measures.values():
        values.setflags(write=False)
    return MappingProxyType({"weight": found.weights, **measures})


@st.cache_resource(max_entries=32, show_spinner="Comparing attention with the other measures")
def attention_worth(name: str, sentence: str, given: str, seed: int) -> Worth:
    """What attention is worth in one translation, as `python -m model evaluate` finds it of many; one τ is added.

    `between` is that of the two measures that do not ask attention, over all source tokens but `</s>`.
    """
    found, measures = trace(name, sentence, given), importance(name, sentence, given)
    worth = assess(found, looks(name, sentence, given, seed)[1:], {kind: measures[kind] for kind in IMPORTANCE})
    everywhere = np.ones_like(found.mask)
    between = kendall(measures["gradient_by_input"], measures["leave_one_out"], everywhere)
    return replace(worth, taus={**worth.taus, "between": between})


@st.cache_resource(max_entries=64, show_spinner="Searching for weights that say it")
def persuaded(name: str, sentence: str, given: str, step: int, token: int, penalty: float) -> Persuasion:
    """The attention with which a step (from 0) finds this token likeliest; a second or two at first."""
    return persuade(pretrained(name), trace(name, sentence, given), step, token, penalty)


@st.cache_resource(max_entries=6, show_spinner=False)
def card(name: str) -> str:
    """The model card, which commands write from the records of training and evaluation, without its title."""
    file = folder(name) / CARD
    if not file.is_file():
        return "This model has no card; `python -m model evaluate` writes one."
    return file.read_text(encoding="utf-8").partition("\n")[2]


@st.cache_resource(max_entries=2, show_spinner=False)
def reference_weights(name: str) -> Weights:
    """The weights file once more, for NumPy."""
    return load_weights(folder(name))


@st.cache_resource(max_entries=16, show_spinner="Recomputing in NumPy")
def recomputation(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], intervention: Intervention
) -> Recomputation:
    """The forward pass from the weights file, these tokens and what was changed, without PyTorch."""
    steering = intervention.steering(len(target_ids), len(source_ids))
    return recompute(reference_weights(name), source_ids, target_ids, steering)


def warm_up(sentence: str) -> None:
    """Load the default model and translate once, so that the first visitor does not wait.

    One thread computes: a decoder step is too small to share, and threads that wait for each other slow all visitors.
    """
    torch.set_num_threads(1)
    trace(DEFAULT, sentence, "")
