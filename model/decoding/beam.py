"""Beam search: the best of several translations that grow side by side.

The likeliest `width` continuations are kept at every step. One that ends with `</s>` is set aside and its place is not
filled again, so a beam of width 1 is greedy decoding. At the end the translations that ended are compared by the score
of `regard.model.decoding.beam_score`; those that were cut at the limit, only where none ended.

During the search prefixes compete by their log-probability alone. Those of one step are equally long, so the length
penalty could not change their order; and the coverage penalty would blame a prefix for what it has yet to translate.

`regard.model.decoding.beam_expand` keeps a search as a tree; here only the translations are kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from regard.model.autoregression import Prefixes, advance, empty
from regard.model.checkpoint import AnyModel, AnyPretrained
from regard.model.decoding.beam_score import BeamSettings, coverage_penalty
from regard.model.network import AnyMemory, TraceT
from regard.model.seq2seq import pad
from regard.model.tokenizer import STOP, Encoding
from regard.model.tracing import LIKELIEST
from regard.model.translate import force_ids, limit
from regard.model.translate import write as write_greedily
from regard.model.words import normalise

GREEDY_BATCH = 256  # sentences that greedy decoding sorts by length before it batches them


@dataclass(frozen=True)
class Hypothesis:
    """A translation found by the search. `stop` is "end" where it produced `</s>`, "limit" where it was cut."""

    ids: tuple[int, ...]
    log_probability: float
    score: float
    stop: str


class Candidates(NamedTuple):
    """One step of the search, of B prefixes: all N continuations that compete for its places, likeliest first."""

    weights: Float[ndarray, "B S"]
    covered: Float[ndarray, "B S"]  # attention that each source token has got so far, in this step too
    top_ids: Int[ndarray, "B K"]  # the likeliest next tokens of each prefix, at least as many as there are places
    top_log_probabilities: Float[ndarray, "B K"]
    places: int
    parents: Int[ndarray, " N"]  # which prefix each continues
    tokens: Int[ndarray, " N"]
    log_probabilities: Float[ndarray, " N"]  # of the tokens
    totals: Float[ndarray, " N"]  # of the whole prefixes

    def scores(self, settings: BeamSettings, reach: Bool[ndarray, " S"], length: int) -> Float[ndarray, " N"]:
        """Of the candidates, were they the whole translation."""
        return settings.score(self.totals, length, coverage_penalty(self.covered, reach)[self.parents])


@torch.inference_mode()
def compete(model: AnyModel, memory: AnyMemory, width: int) -> Iterator[Candidates]:
    """The steps of a search in one sentence, until its places are taken by translations that ended, or to the limit.

    The prefixes of a step are those candidates of the step before that got a place and are not `</s>`, in their order.
    """
    prefixes, places = empty(model.network, memory), width
    totals, covered = np.zeros(1), np.zeros((1, memory.mask.shape[1]))
    for _ in range(limit(memory.mask.shape[1])):
        step, logits = advance(model.network, prefixes)
        weights, top = step.weights.numpy(), likeliest(logits, max(width, LIKELIEST))
        covered = covered + weights
        candidates = Candidates(weights, covered, *top, places, *_continuations(*top, totals, places))
        yield candidates
        going = candidates.tokens[:places] != STOP
        places -= len(going) - int(going.sum())
        if not places:
            return
        parents, tokens, totals = (
            column[: len(going)][going] for column in (candidates.parents, candidates.tokens, candidates.totals)
        )
        carried, covered = step.carried.take(torch.from_numpy(parents)), covered[parents]
        prefixes = Prefixes(torch.from_numpy(tokens), carried, memory.repeated(len(tokens)))


def search(model: AnyModel, source: Encoding, settings: BeamSettings) -> list[Hypothesis]:
    """At most `width` translations, best first: those that ended, or the unfinished ones when none did by the limit."""
    memory = read(model, (*source.ids, STOP))
    reach = memory.mask[0].numpy()
    live: list[tuple[int, ...]] = [()]
    ended: list[Hypothesis] = []
    cut: list[Hypothesis] = []
    for step, candidates in enumerate(compete(model, memory, settings.width), start=1):
        parents, tokens = (
            candidates.parents[: candidates.places].tolist(),
            candidates.tokens[: candidates.places].tolist(),
        )
        grown = [(*live[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        last = step == limit(len(reach))
        if last or STOP in tokens:
            numbers = candidates.totals.tolist(), candidates.scores(settings, reach, step).tolist()
            made = [Hypothesis(*each, _stop(each[0])) for each in zip(grown, *numbers, strict=False)]
            ended += [hypothesis for hypothesis in made if hypothesis.stop == "end"]
            cut = made if last else []
        live = [ids for ids in grown if ids[-1] != STOP]
    return sorted(ended or cut, key=lambda hypothesis: hypothesis.score, reverse=True)


def translate(model: AnyPretrained[TraceT], sentences: Sequence[str], settings: BeamSettings) -> list[TraceT]:
    """A trace of the best translation of each sentence, in order."""
    sources = [encode(model, sentence) for sentence in sentences]
    best = [search(model, source, settings)[0] for source in sources]
    traces = force_ids(model, sources, [hypothesis.ids for hypothesis in best])
    return [replace(trace, stop=hypothesis.stop) for trace, hypothesis in zip(traces, best, strict=True)]


def write(model: AnyModel, sentences: Sequence[str], settings: BeamSettings) -> Iterator[str]:
    """The translations alone, in normal form and in order, as they are made; width 1 decodes greedily, in batches."""
    if settings.width > 1:
        for sentence in sentences:
            yield normalise(model.tokenizer.decode(search(model, encode(model, sentence), settings)[0].ids))
        return
    for start in range(0, len(sentences), GREEDY_BATCH):
        yield from map(normalise, write_greedily(model, sentences[start : start + GREEDY_BATCH]))


def encode(model: AnyModel, sentence: str) -> Encoding:
    return model.tokenizer.encode(sentence, model.tokenizer.languages[0])


@torch.inference_mode()
def read(model: AnyModel, source_ids: Sequence[int]) -> AnyMemory:
    """A sentence as the decoder sees it, from its ids with `</s>`."""
    return model.network.encode(pad([source_ids]))


def likeliest(logits: Float[Tensor, "B V"], most: int) -> tuple[Int[ndarray, "B K"], Float[ndarray, "B K"]]:
    """The likeliest tokens that may be taken, best first, and their log-probabilities. `<pad>` and `<s>` never are."""
    top = logits[:, STOP:].topk(min(most, logits.shape[1] - STOP))
    normaliser = logits.logsumexp(1, keepdim=True)
    return top.indices.numpy() + STOP, top.values.numpy().astype(np.float64) - normaliser.numpy()


def _continuations(
    top_ids: Int[ndarray, "B K"], top: Float[ndarray, "B K"], totals: Float[ndarray, " B"], places: int
) -> tuple[Int[ndarray, " N"], Int[ndarray, " N"], Float[ndarray, " N"], Float[ndarray, " N"]]:
    """The last four fields of `Candidates`: of every prefix as many continuations as there are places."""
    tokens, log_probabilities = top_ids[:, :places], top[:, :places]
    grown = (totals[:, None] + log_probabilities).ravel()
    order = np.argsort(-grown, kind="stable")
    return order // tokens.shape[1], tokens.ravel()[order], log_probabilities.ravel()[order], grown[order]


def _stop(ids: Sequence[int]) -> str:
    return "end" if ids[-1] == STOP else "limit"
