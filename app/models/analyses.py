"""Analyses of single translations, computed once and shared by all visitors."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.models.models import any_pretrained, pretrained
from regard.app.models.result_cache import remembered
from regard.app.models.traces import any_trace, recomputation, reference_parameters
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
from regard.model.reference.posterior import PosteriorRecomputation, recompute_posterior
from regard.model.synthetic import place_keeping as keeping
from regard.model.synthetic.place_keeping import PlaceKeeping
from regard.model.trace import Trace
from regard.model.word_alignment.from_heads import CrossHead, alignment_of
from regard.model.word_alignment.posterior import posterior


@remembered(8, "Replacing the weights and computing every step again")
def looks(name: str, sentence: str, given: str, seed: int) -> tuple[Counterfactual, ...]:
    """Return each step's output with the model's own weights, and with each kind of replacement.

    With several heads, their mean is also put in place of each head: the effect of that alone is not due to other
    weights.
    """
    loaded, plain = any_pretrained(name), any_trace(name, sentence, given)
    alike = [replaced(loaded, plain, plain.weights, MEAN)] if loaded.network.heads() else []
    return unchanged(plain), *alike, *(counterfactual(loaded, plain, kind, seed) for kind in COUNTERFACTUALS)


@remembered(8, "Computing gradients, and leaving out each token of the sentence")
def importance(name: str, sentence: str, given: str) -> Mapping[str, Float[ndarray, "T S"]]:
    """Return the importance of each source token at each step, by the measures that do not use attention."""
    loaded, plain = any_pretrained(name), any_trace(name, sentence, given)
    measures = {kind: measure(loaded, plain) for kind, measure in IMPORTANCE.items()}
    for values in measures.values():
        values.setflags(write=False)
    return MappingProxyType(measures)


@remembered(4, "Comparing attention with the other measures")
def attention_faithfulness(name: str, sentence: str, given: str, seed: int) -> AttentionFaithfulness:
    """Return what attention is worth in one translation, as `regard evaluate` measures it over many."""
    plain, measures = any_trace(name, sentence, given), importance(name, sentence, given)
    return assess(plain, looks(name, sentence, given, seed)[1:], measures)


@remembered(2, "Comparing attention with the other measures")
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


@remembered(16, "Searching for weights that make the model write it")
def attention_search(name: str, sentence: str, given: str, step: int, token: int, penalty: float) -> AttentionSearch:
    """Search for attention that makes this token the likeliest at a step (from 0); takes a second or two the first
    time.
    """
    return search_attention(any_pretrained(name), any_trace(name, sentence, given), step, token, penalty)


@remembered(8, "Searching for your translation with beams of 5, 10 and 50")
def preference(name: str, sentence: str, given: str) -> Preference:
    """Return why the model writes its own translation and not the given one; takes some seconds the first time."""
    return compare(any_pretrained(name), any_trace(name, sentence, ""), any_trace(name, sentence, given))


@remembered(2, "Translating without each head")
def ablations(name: str, sentence: str) -> tuple[HeadAblation, ...]:
    """Return what switching off each head of a Transformer does to the model's own translation."""
    return tuple(ablated(any_pretrained(name), sentence))


def afterwards(trace: Trace) -> Posterior:
    """Return where the decoder looked, given each word; costs an output layer per step and source token."""
    ids = tuple(trace.source_ids.tolist()), tuple(trace.target_ids.tolist())
    return _afterwards(trace.maker.name, *ids, trace.intervention, trace)


@remembered(8)
def _afterwards(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], changes: Intervention, _trace: Trace
) -> Posterior:
    return posterior(pretrained(name), _trace)


@remembered(32)
def afterwards_again(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], changes: Intervention
) -> PosteriorRecomputation:
    """Return the posterior computed in NumPy from the weights file, the tokens and the changes."""
    return recompute_posterior(reference_parameters(name), recomputation(name, source_ids, target_ids, changes))


@remembered(1)
def place_keeping(name: str, length: int, symbols: int) -> PlaceKeeping:
    """Return how often a network that reverses numbers looks where it should, by what its decoder is fed."""
    return keeping.place_keeping(pretrained(name), length, symbols)


@remembered(1)
def influence_by_third(name: str, sentences: tuple[str, ...]) -> tuple[float, float, float]:
    """Return how far leaving out a token changes a step, by the third of the sentence it stands in."""
    return claims.influence_by_third(pretrained(name), sentences)


@remembered(1)
def at_once_difference(name: str, sentence: str) -> float:
    """Return the largest difference in h̃ between all steps at once and one after another."""
    return claims.at_once_difference(pretrained(name), sentence)
