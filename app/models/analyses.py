"""Analyses of single translations, computed once and shared by all visitors."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from app.models.models import pretrained
from app.models.result_cache import remembered
from app.models.traces import recomputation, reference_parameters, trace
from model.analysis.attention_search import Persuasion, persuade
from model.analysis.faithfulness import COUNTERFACTUALS, Counterfactual, counterfactual, kendall, replaced
from model.evaluation.attention_faithfulness import IMPORTANCE, Worth, assess
from model.intervention import Intervention
from model.posterior_attention import Posterior
from model.reference.posterior import PosteriorRecomputation, recompute_posterior
from model.trace import Trace
from model.word_alignment.posterior import posterior


@remembered(8, "Exchanging the weights and computing every step again")
def looks(name: str, sentence: str, given: str, seed: int) -> tuple[Counterfactual, ...]:
    """What every step gives with the model's own weights, and with those of each kind in their place."""
    loaded, plain = pretrained(name), trace(name, sentence, given)
    own = replaced(loaded, plain, plain.weights, "the model's own")
    return own, *(counterfactual(loaded, plain, kind, seed) for kind in COUNTERFACTUALS)


@remembered(8, "Computing gradients, and leaving out each token of the sentence")
def importance(name: str, sentence: str, given: str) -> Mapping[str, Float[ndarray, "T S"]]:
    """What each source token counts at each step: by its weight, and by the measures that do not ask attention."""
    loaded, plain = pretrained(name), trace(name, sentence, given)
    measures = {kind: measure(loaded, plain) for kind, measure in IMPORTANCE.items()}
    for values in measures.values():
        values.setflags(write=False)
    return MappingProxyType({"weight": plain.weights, **measures})


@remembered(4, "Comparing attention with the other measures")
def attention_worth(name: str, sentence: str, given: str, seed: int) -> Worth:
    """What attention is worth in one translation, as `python -m model evaluate` finds it of many; one τ is added.

    `between` is that of the two measures that do not ask attention, over all source tokens but `</s>`.
    """
    plain, measures = trace(name, sentence, given), importance(name, sentence, given)
    worth = assess(plain, looks(name, sentence, given, seed)[1:], {kind: measures[kind] for kind in IMPORTANCE})
    everywhere = np.ones_like(plain.mask)
    between = kendall(measures["gradient_by_input"], measures["leave_one_out"], everywhere)
    return replace(worth, taus={**worth.taus, "between": between})


@remembered(16, "Searching for weights that say it")
def persuaded(name: str, sentence: str, given: str, step: int, token: int, penalty: float) -> Persuasion:
    """The attention with which a step (from 0) finds this token likeliest; a second or two at first."""
    return persuade(pretrained(name), trace(name, sentence, given), step, token, penalty)


def afterwards(trace: Trace) -> Posterior:
    """Where the decoder looked, asked after each word is known; an output layer for every step and source token."""
    return _afterwards(trace.maker.name, *_about(trace), trace)


def afterwards_again(trace: Trace) -> PosteriorRecomputation:
    """The same in NumPy, from the weights file."""
    return _afterwards_again(trace.maker.name, *_about(trace))


@remembered(8)
def _afterwards(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], changes: Intervention, _trace: Trace
) -> Posterior:
    return posterior(pretrained(name), _trace)


@remembered(32)
def _afterwards_again(
    name: str, source_ids: tuple[int, ...], target_ids: tuple[int, ...], changes: Intervention
) -> PosteriorRecomputation:
    return recompute_posterior(reference_parameters(name), recomputation(name, source_ids, target_ids, changes))


def _about(trace: Trace) -> tuple[tuple[int, ...], tuple[int, ...], Intervention]:
    return tuple(trace.source_ids.tolist()), tuple(trace.target_ids.tolist()), trace.intervention
