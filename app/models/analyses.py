"""Analyses computed once and shared by all visitors: of single translations, of people's alignments, of memories.

Links that people drew between the words of stories are read once, to measure how far each model's attention agrees.
"""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from types import MappingProxyType
from typing import Any

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.models.models import any_pretrained, pretrained
from regard.app.models.result_cache import remembered
from regard.app.models.traces import any_trace, encoding, recomputation, reference_parameters, transformer
from regard.app.wording import MEAN
from regard.model.alignment import Posterior
from regard.model.analysis import claims
from regard.model.analysis.attention_search import AttentionSearch, search_attention
from regard.model.analysis.faithfulness import (
    COUNTERFACTUALS,
    Counterfactual,
    counterfactual,
    kendall,
    replaced,
    unchanged,
)
from regard.model.analysis.head_ablation import HeadAblation, ablated
from regard.model.analysis.model_preference import Preference
from regard.model.analysis.model_preference import preference as compare
from regard.model.changes.intervention import Intervention
from regard.model.evaluation.attention_faithfulness import IMPORTANCE, AttentionFaithfulness, assess
from regard.model.files import belongs_to
from regard.model.input_error import InputError
from regard.model.linear import decoding_threads
from regard.model.memory import datastore
from regard.model.memory import occurrences as occurrences_file
from regard.model.memory.datastore import Datastore, write
from regard.model.memory.occurrences import Occurrences
from regard.model.reference.recompute import PosteriorRecomputation, recompute_posterior
from regard.model.synthetic.small_trainings import Gap, gaps
from regard.model.trace import AnyTrace, Trace
from regard.model.translate import force_ids
from regard.model.word_alignment.alignment_error_rate import STORIES, GoldPair, read_story
from regard.model.word_alignment.detokenize import join
from regard.model.word_alignment.from_attention import (
    Aligned,
    CrossHead,
    HeadAgreements,
    aligned,
    alignment_of,
    head_agreements,
)
from regard.model.word_alignment.posterior import posterior

PIECE = 4  # pairs measured between two updates of the page
WEIGHTS, POSTERIORS, HEADS = "weights", "posteriors", "heads"  # measures of an alignment
_measuring = Lock()


@remembered("Replacing the weights and computing every step again")
def looks(name: str, sentence: str, given: str, seed: int) -> tuple[Counterfactual, ...]:
    """Return each step's output with the model's own weights, and with each kind of replacement.

    With several heads, their mean is also put in place of each head: the effect of that alone is not due to other
    weights.
    """
    loaded, plain = any_pretrained(name), any_trace(name, sentence, given)
    alike = [replaced(loaded, plain, plain.weights, MEAN)] if loaded.network.heads() else []
    return unchanged(plain), *alike, *(counterfactual(loaded, plain, kind, seed) for kind in COUNTERFACTUALS)


@remembered("Computing gradients, and leaving out each token of the sentence")
def importance(name: str, sentence: str, given: str) -> Mapping[str, Float[ndarray, "T S"]]:
    """Return the importance of each source token at each step, by the measures that do not use attention."""
    loaded, plain = any_pretrained(name), any_trace(name, sentence, given)
    measures = {kind: measure(loaded, plain) for kind, measure in IMPORTANCE.items()}
    for values in measures.values():
        values.setflags(write=False)
    return MappingProxyType(measures)


@remembered("Comparing attention with the other measures")
def attention_faithfulness(name: str, sentence: str, given: str, seed: int) -> AttentionFaithfulness:
    """Return what attention is worth in one translation, as `regard evaluate` measures it over many."""
    plain, measures = any_trace(name, sentence, given), importance(name, sentence, given)
    return assess(plain, looks(name, sentence, given, seed)[1:], measures)


@remembered("Comparing attention with the other measures")
def attention_taus(name: str, sentence: str, given: str, head: CrossHead) -> Mapping[str, Float[ndarray, " T"]]:
    """Return Kendall's τ of one attention and each other measure at every step; for a Transformer, of the given head.

    `between` compares the two measures that do not use attention, over all source tokens but `</s>`.
    """
    plain, measures = any_trace(name, sentence, given), importance(name, sentence, given)
    weights = alignment_of(plain, head).weights
    taus = {kind: kendall(weights, values, plain.reach) for kind, values in measures.items()}
    everywhere = np.ones_like(weights, dtype=bool)
    between = kendall(measures["gradient_by_input"], measures["leave_one_out"], everywhere)
    return MappingProxyType({**taus, "between": between})


@remembered("Searching for weights that make the model write it")
def attention_search(name: str, sentence: str, given: str, step: int, token: int, penalty: float) -> AttentionSearch:
    """Search for attention that makes this token the likeliest at a step (from 0); takes a second or two the first
    time.
    """
    return search_attention(any_pretrained(name), any_trace(name, sentence, given), step, token, penalty)


@remembered("Searching for your translation with beams of 5, 10 and 50")
def preference(name: str, sentence: str, given: str) -> Preference:
    """Return why the model writes its own translation and not the given one; takes some seconds the first time."""
    return compare(any_pretrained(name), any_trace(name, sentence, ""), any_trace(name, sentence, given))


@remembered("Translating without each head")
def ablations(name: str, sentence: str) -> tuple[HeadAblation, ...]:
    """Return what switching off each head of a Transformer does to the model's own translation."""
    return tuple(ablated(any_pretrained(name), sentence))


def afterwards(trace: Trace) -> Posterior:
    """Return where the decoder looked, given each word; costs an output layer per step and source token."""
    ids = tuple(trace.source_ids.tolist()), tuple(trace.target_ids.tolist())
    return _afterwards(trace.maker.name, *ids, trace.intervention, trace)


@remembered()
def _afterwards(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], changes: Intervention, _trace: Trace
) -> Posterior:
    return posterior(pretrained(name), _trace)


@remembered()
def afterwards_again(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], changes: Intervention
) -> PosteriorRecomputation:
    """Return the posterior computed in NumPy from the weights file, the tokens and the changes."""
    return recompute_posterior(reference_parameters(name), recomputation(name, source_ids, target_ids, changes))


SUMMARISED = (18, 30)  # tokens of the stories' sentences whose summaries are measured


@remembered()
def forgetting(name: str) -> claims.Forgetting:
    """Return how far leaving out a token moves what an encoder hands over, over sentences of the stories."""
    loaded = pretrained(name)
    source = loaded.tokenizer.languages[0]
    texts = [join(pair.source, source).text for story in stories() for pair in gold(story, loaded.tokenizer.languages)]
    least, most = SUMMARISED
    with decoding_threads():
        return claims.forgetting(
            loaded, [text for text in texts if least <= len(loaded.tokenizer.encode(text, source).ids) <= most]
        )


@remembered("Training six small networks")
def overfitting(_name: str) -> tuple[Gap, ...]:
    """Return the losses of networks of several sizes, with and without attention, on text they trained on and other."""
    with decoding_threads():  # such small products are too small for threads to share
        return tuple(gaps())


@remembered()
def at_once_difference(name: str, sentence: str) -> float:
    """Return the largest difference in h̃ between all steps at once and one after another."""
    return claims.at_once_difference(pretrained(name), sentence)


def stories() -> list[str]:
    """Return the folders of hand-aligned stories."""
    return sorted(folder.name for folder in STORIES.iterdir() if folder.is_dir())


@st.cache_resource(max_entries=16, show_spinner=False)
def gold(story: str, languages: tuple[str, str]) -> tuple[GoldPair, ...]:
    """Return all pairs of a story, scored or not. InputError names the line and file that is wrong."""
    folder = STORIES / story
    try:
        return tuple(read_story(folder, languages))
    except OSError as error:
        raise InputError(f"{story} cannot be read: {error.strerror}") from error
    except InputError as error:
        raise InputError(str(error).replace(f"{folder}/", "").replace(str(folder), story)) from error


def hand_aligned(name: str, text: str) -> GoldPair | None:
    """Return the pair of the stories whose source is this text, or None."""
    return _by_text(name).get(text)


@remembered()
def _by_text(name: str) -> dict[str, GoldPair]:
    """Return the pairs of all stories by source, the first of equal ones; unreadable stories are skipped."""
    languages = any_pretrained(name).tokenizer.languages
    pairs_by_text: dict[str, GoldPair] = {}
    for story in stories():
        try:
            pairs = gold(story, languages)
        except InputError:
            continue
        for pair in pairs:
            pairs_by_text.setdefault(join(pair.source, languages[0]).text, pair)
    return pairs_by_text


def agreements(name: str, story: str, posteriors: bool, tell: Callable[[float], object]) -> tuple[Aligned, ...]:
    """Measure how far a model's attention agrees with people's links, pair by pair; takes seconds the first time.
    Posteriors take several times as long and are computed only on request. `tell` receives the share that is done, and
    may stop the work; finished pieces stay cached."""
    return _in_pieces(name, story, POSTERIORS if posteriors else WEIGHTS, tell)


def agreements_of_heads(name: str, story: str, tell: Callable[[float], object]) -> tuple[HeadAgreements, ...]:
    """Measure the agreement of every head and mean of a Transformer with people's links."""
    return _in_pieces(name, story, HEADS, tell)


def _in_pieces(name: str, story: str, measure: str, tell: Callable[[float], object]) -> tuple[Any, ...]:
    pairs = len(gold(story, any_pretrained(name).tokenizer.languages))
    found: list[Any] = []
    for first in range(0, pairs, PIECE):
        tell(first / pairs)
        found += _piece(name, story, measure, first)
    return tuple(found)


@remembered()
def _piece(name: str, story: str, measure: str, first: int) -> tuple[Any, ...]:
    """Measure some pairs of a story; the server handles one piece at a time, so that others are served in between."""
    pairs = gold(story, any_pretrained(name).tokenizer.languages)[first : first + PIECE]
    with _measuring:
        if measure == HEADS:
            return tuple(head_agreements(transformer(name), pairs))
        return tuple(aligned(pretrained(name), pairs, measure == POSTERIORS))


@remembered()
def remembers(name: str) -> bool:
    """Return True if a model has a memory, without reading its contents."""
    loaded = any_pretrained(name)
    return belongs_to(loaded.folder / datastore.MEMORY, loaded.fingerprint)


@remembered("Reading what the model met in training")
def memory(name: str) -> Datastore | None:
    """Return the states that a model met in training, or None if they were not kept."""
    loaded = any_pretrained(name)
    return datastore.load(loaded.folder, loaded.fingerprint)


@remembered()
def occurrences(name: str) -> Occurrences | None:
    """Return how often words and tokens occur in a model's training text, or None if not counted."""
    loaded = any_pretrained(name)
    return occurrences_file.load(loaded.folder, loaded.fingerprint)


@remembered("Translating with the memory's help")
def helped(name: str, sentence: str, share: float) -> str:
    """Return the greedy translation by the mixture of model and memory; "" for a model that has no memory."""
    store, loaded = memory(name), any_pretrained(name)
    if store is None:
        return ""
    (ids,) = write(loaded, store, [encoding(name, sentence, 0)], share)
    return loaded.tokenizer.decode(ids)


@remembered()
def moments(name: str, entries: tuple[int, ...]) -> Sequence[AnyTrace]:
    """Return the traces of the sentences behind entries of a memory, each forced to its translation."""
    store, loaded = memory(name), any_pretrained(name)
    if store is None:
        return ()
    met = [store.moment(entry) for entry in entries]
    sources = [loaded.tokenizer.read(one.source, loaded.tokenizer.languages[0]) for one in met]
    return tuple(force_ids(loaded, sources, [one.target for one in met]))
