"""Models and traces, loaded once and shared by all visitors.

What is cached is frozen and keyed by everything it depends on, so nobody can see or change what another typed.
"""

import json

import streamlit as st
import torch

from app.wording import LONGEST
from model.card import CARD, TRAINING
from model.checkpoint import DEFAULT, PRETRAINED, Pretrained, load
from model.reference import Recomputation, Weights, load_weights, recompute
from model.trace import Trace
from model.translate import force, translate


def model_names() -> list[str]:
    """Folders that hold a model, the default first."""
    found = sorted(folder.parent.name for folder in PRETRAINED.glob("*/config.json"))
    return sorted(found, key=lambda name: name != DEFAULT) or [DEFAULT]


@st.cache_resource(max_entries=6, show_spinner="Reading the model's weights")
def pretrained(name: str) -> Pretrained:
    return load(PRETRAINED / name)


@st.cache_resource(max_entries=64, show_spinner=False)
def usual_length(name: str) -> int:
    """Tokens that 99 % of the sentences of its training stay within; what the page allows where no record was kept."""
    record = PRETRAINED / name / TRAINING
    if not record.is_file():
        return LONGEST
    return json.loads(record.read_text(encoding="utf-8"))["source_tokens"]["99th percentile"]


@st.cache_resource(max_entries=64, show_spinner="Translating")
def trace(name: str, sentence: str, given: str) -> Trace:
    """The model's own translation, or the numbers of the given one."""
    loaded = pretrained(name)
    return force(loaded, [(sentence, given)])[0] if given else translate(loaded, [sentence])[0]


@st.cache_resource(max_entries=6, show_spinner=False)
def card(name: str) -> str:
    """The model card, which commands write from the records of training and evaluation, without its title."""
    file = PRETRAINED / name / CARD
    if not file.is_file():
        return "This model has no card; `python -m model evaluate` writes one."
    return file.read_text(encoding="utf-8").partition("\n")[2]


@st.cache_resource(max_entries=2, show_spinner=False)
def reference_weights(name: str) -> Weights:
    """The weights file once more, for NumPy."""
    return load_weights(PRETRAINED / name)


@st.cache_resource(max_entries=16, show_spinner="Recomputing in NumPy")
def recomputation(name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...]) -> Recomputation:
    """The forward pass from the weights file and these tokens, without PyTorch."""
    return recompute(reference_weights(name), source_ids, target_ids)


def warm_up(sentence: str) -> None:
    """Load the default model and translate once, so that the first visitor does not wait.

    One thread computes: a decoder step is too small to share, and threads that wait for each other slow all visitors.
    """
    torch.set_num_threads(1)
    trace(DEFAULT, sentence, "")
