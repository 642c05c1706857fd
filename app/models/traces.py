"""Traces and searches of the models on offer, computed once and shared by all visitors."""

from functools import partial

import torch

from regard.app.models.models import OF_ONE_ATTENTION, any_pretrained, pretrained
from regard.app.models.registry import alike_among, folder, model_names, transforms
from regard.app.models.result_cache import remembered
from regard.app.models.translator_process import Timed, timed, translator_process
from regard.app.wording import problem
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import DEFAULT
from regard.model.decoding.beam import expand, finish, grow
from regard.model.decoding.beam_tree import Added, AddedPrefix, BeamSettings, BeamTree, add
from regard.model.decoding.sampling import Sample, sample
from regard.model.decoding.token_sampling import SamplingSettings
from regard.model.input_error import InputError
from regard.model.reference.recompute import Parameters, Recomputation, load_parameters, recompute
from regard.model.reference.transformer import (
    TransformerParameters,
    TransformerRecomputation,
    load_transformer_parameters,
    recompute_transformer,
)
from regard.model.tokenizer import STOP, Encoding
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import force_ids

REVERSER, WITHOUT_POSITIONS = "reverse-transformer", "reverse-transformer-nopos"
REFUSED = "{} is a recurrent network; this needs a Transformer"


@remembered()
def encoding(name: str, text: str, side: int) -> Encoding:
    """Tokenize a text for this model: side 0 is its input, side 1 its output."""
    tokenizer = any_pretrained(name).tokenizer
    return tokenizer.encode(text, tokenizer.languages[side])


def unreadable(name: str, sentence: str) -> str:
    """Return why a model cannot show this sentence, or ""."""
    return problem(any_pretrained(name).tokenizer.languages[0], encoding(name, sentence, 0))


@remembered()
def any_timed(name: str, sentence: str) -> Timed:
    """Return the model's own translation and the seconds it took; for any network."""
    translate = translator_process.translate if name == DEFAULT else timed
    return translate(any_pretrained(name), encoding(name, sentence, 0))


@remembered()
def _forced(name: str, sentence: str, given: str) -> AnyTrace:
    (trace,) = force_ids(any_pretrained(name), [encoding(name, sentence, 0)], [(*encoding(name, given, 1).ids, STOP)])
    return trace


def any_trace(name: str, sentence: str, given: str) -> AnyTrace:
    """Return the model's own translation, or the forced one; for any network."""
    return _forced(name, sentence, given) if given else any_timed(name, sentence)[0]


def trace(name: str, sentence: str, given: str) -> Trace:
    """Return the trace of a recurrent network. Raises InputError for a Transformer."""
    pretrained(name)
    return recurrent(any_trace(name, sentence, given))


def recurrent(trace: AnyTrace) -> Trace:
    """Return the trace if it is a recurrent network's. Raises InputError for a Transformer's."""
    if isinstance(trace, Trace):
        return trace
    raise InputError(OF_ONE_ATTENTION.format(trace.maker.name))


def transformer(name: str) -> PretrainedTransformer:
    """Return the model, ready to translate. Raises InputError if it cannot be read or is recurrent."""
    model = any_pretrained(name)
    if not isinstance(model, PretrainedTransformer):
        raise InputError(REFUSED.format(name))
    return model


def transformer_trace(name: str, sentence: str, given: str = "") -> TransformerTrace:
    """Return the model's own translation, or the forced one."""
    trace = any_trace(name, sentence, given)
    if not isinstance(trace, TransformerTrace):
        raise InputError(REFUSED.format(name))
    return trace


def readable(name: str) -> bool:
    """True if the model is on offer and a readable Transformer."""
    try:
        return transformer(name).name == name
    except InputError:
        return False


def transformer_beside(name: str) -> str:
    """Return the model itself if it is a Transformer, else one with the same languages, else one that reverses numbers.
    Returns "" if there is none."""
    names = [other for other in model_names() if transforms(other)]
    order = [name] if name in names else [*alike_among(name, names), REVERSER]
    return next((other for other in order if other in names and readable(other)), "")


@remembered()
def any_changed(name: str, sentence: str, given: str, intervention: Intervention) -> AnyTrace:
    """Return the translation with a person's changes. InputError names the place and why it cannot be done."""
    return what_if.translate(any_pretrained(name), sentence, intervention, given)


@remembered("Searching, and recording every candidate")
def beam(name: str, sentence: str, settings: BeamSettings) -> BeamTree:
    """Run the whole search in one sentence."""
    return grow(any_pretrained(name), sentence, settings)


@remembered("Continuing from the branches opened by hand")
def beam_by_hand(name: str, sentence: str, settings: BeamSettings, entries: tuple[AddedPrefix, ...]) -> Added:
    """Return the search with a visitor's additions."""
    loaded, tree = any_pretrained(name), beam(name, sentence, settings)
    return add(tree, entries, partial(expand, loaded), partial(finish, loaded))


@remembered()
def reference_parameters(name: str) -> Parameters:
    """Load the weights file again, for NumPy."""
    return load_parameters(folder(name))


@remembered("Recomputing in NumPy")
def recomputation(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], intervention: Intervention
) -> Recomputation:
    """Recompute the forward pass from the weights file, the tokens and the changes, without PyTorch."""
    steering = intervention.steering(len(target_ids), len(source_ids))
    return recompute(reference_parameters(name), source_ids, target_ids, steering)


@remembered()
def transformer_parameters(name: str) -> TransformerParameters:
    """Load the weights file of a Transformer again, for NumPy."""
    return load_transformer_parameters(folder(name))


@remembered("Recomputing in NumPy")
def transformer_recomputation(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], intervention: Intervention
) -> TransformerRecomputation:
    """Recompute the forward pass of a Transformer from its weights file, tokens and changes, without PyTorch."""
    steps, positions = len(target_ids), len(source_ids)
    steering, changes = intervention.steering(steps, positions), intervention.all_heads(positions, steps)
    return recompute_transformer(transformer_parameters(name), source_ids, target_ids, steering, changes)


@remembered("Sampling translations")  # each sample holds a whole trace
def samples(name: str, sentence: str, settings: SamplingSettings) -> tuple[Sample[AnyTrace], ...]:
    """Return translations sampled at random, in order."""
    return tuple(sample(any_pretrained(name), sentence, settings))


def warm_up(sentence: str) -> None:
    """Load the default model and translate once, so that the first visitor does not wait. A single thread computes: a
    decoder step is too small to share, and threads that wait for each other slow all visitors."""
    torch.set_num_threads(1)
    trace(DEFAULT, sentence, "")
