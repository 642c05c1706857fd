"""Traces and searches of the models on offer, computed once and shared by all visitors."""

from functools import partial
from time import perf_counter
from typing import NamedTuple

import torch

from app.models.models import pretrained
from app.models.registry import folder
from app.models.result_cache import remembered
from model import what_if
from model.checkpoint import DEFAULT
from model.decoding.beam_edits import Added, AddedPrefix, add
from model.decoding.beam_expand import expand, finish, grow
from model.decoding.beam_score import BeamSettings
from model.decoding.beam_tree import BeamTree
from model.decoding.sampling import Sample, sample
from model.decoding.token_sampling import SamplingSettings
from model.intervention import Intervention
from model.reference.parameters import Parameters
from model.reference.recomputation import Recomputation
from model.reference.recompute import load_parameters, recompute
from model.tokenizer import STOP, Encoding
from model.trace import Trace
from model.translate import force_ids, translate_encoded


class Timed(NamedTuple):
    trace: Trace
    seconds: float  # it took when it was computed


@remembered(2)
def encoding(name: str, text: str, side: int) -> Encoding:
    """A text as this model's tokens: 0 is what it reads, 1 what it writes."""
    tokenizer = pretrained(name).tokenizer
    return tokenizer.encode(text, tokenizer.languages[side])


@remembered(32)
def timed(name: str, sentence: str, given: str) -> Timed:
    """The model's own translation, or the numbers of the given one, and how long that took."""
    loaded, source = pretrained(name), [encoding(name, sentence, 0)]
    began = perf_counter()
    if given:
        (trace,) = force_ids(loaded, source, [(*encoding(name, given, 1).ids, STOP)])
    else:
        (trace,) = translate_encoded(loaded, source)
    return Timed(trace, perf_counter() - began)


def trace(name: str, sentence: str, given: str) -> Trace:
    """The model's own translation, or the numbers of the given one."""
    return timed(name, sentence, given).trace


@remembered(32)
def changed(name: str, sentence: str, given: str, intervention: Intervention) -> Trace:
    """The translation with what a person changed in it; InputError names the place and why it cannot be done."""
    return what_if.translate(pretrained(name), sentence, intervention, given)


@remembered(16, "Searching, and recording every candidate")
def beam(name: str, sentence: str, settings: BeamSettings) -> BeamTree:
    """The whole search in one sentence."""
    return grow(pretrained(name), sentence, settings)


@remembered(16, "Going on from the branches opened by hand")
def beam_by_hand(name: str, sentence: str, settings: BeamSettings, entries: tuple[AddedPrefix, ...]) -> Added:
    """The same with what a visitor adds to it."""
    loaded, tree = pretrained(name), beam(name, sentence, settings)
    return add(tree, entries, partial(expand, loaded), partial(finish, loaded))


@remembered(192)
def reference_parameters(name: str) -> Parameters:
    """The weights file once more, for NumPy."""
    return load_parameters(folder(name))


@remembered(32, "Recomputing in NumPy")
def recomputation(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], intervention: Intervention
) -> Recomputation:
    """The forward pass from the weights file, these tokens and what was changed, without PyTorch."""
    steering = intervention.steering(len(target_ids), len(source_ids))
    return recompute(reference_parameters(name), source_ids, target_ids, steering)


def warm_up(sentence: str) -> None:
    """Load the default model and translate once, so that the first visitor does not wait.

    One thread computes: a decoder step is too small to share, and threads that wait for each other slow all visitors.
    """
    torch.set_num_threads(1)
    trace(DEFAULT, sentence, "")


@remembered(32, "Drawing translations")  # each sample has the many numbers of a whole trace
def samples(name: str, sentence: str, settings: SamplingSettings) -> tuple[Sample, ...]:
    """Translations drawn by chance, in their order."""
    return tuple(sample(pretrained(name), sentence, settings))
