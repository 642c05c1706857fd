"""Beam search: several translations grow side by side, and the best one is chosen.

Each step keeps the `width` likeliest continuations. One that ends with `</s>` is set aside and its place is not
refilled, so a beam of width 1 is greedy decoding. At the end, translations that ended are ranked by the score of
`regard.model.decoding.beam_score`; translations cut at the limit are ranked only if none ended.

During the search, prefixes compete by log-probability alone. Those of one step are equally long, so the length penalty
could not change their order; and the coverage penalty would punish a prefix for what it has yet to translate.

`regard.model.decoding.beam_expand` keeps a search as a tree; this module keeps only the translations.
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
from regard.model.network import AnyMemory, TraceT, repeated, taken
from regard.model.tokenizer import STOP, Encoding
from regard.model.tracing import LIKELIEST
from regard.model.translate import AHEAD, BATCH, force_ids, limit, read
from regard.model.translate import write as write_greedily
from regard.model.words import normalise


@dataclass(frozen=True)
class Hypothesis:
    """A translation found by the search. `stop` is "end" if it produced `</s>`, "limit" if it was cut."""

    ids: tuple[int, ...]
    log_probability: float
    score: float
    stop: str


class Candidates(NamedTuple):
    """One step of the search over B prefixes: all N continuations competing for its places, likeliest first."""

    weights: Float[ndarray, "B S"]
    covered: Float[ndarray, "B S"]  # attention each source token has received so far, including this step
    top_ids: Int[ndarray, "B K"]  # the likeliest next tokens of each prefix, at least one per place
    top_log_probabilities: Float[ndarray, "B K"]
    places: int
    parents: Int[ndarray, " N"]  # the prefix that each candidate continues
    tokens: Int[ndarray, " N"]
    log_probabilities: Float[ndarray, " N"]  # of the tokens
    totals: Float[ndarray, " N"]  # of the whole prefixes

    def scores(self, settings: BeamSettings, reach: Bool[ndarray, " S"], length: int) -> Float[ndarray, " N"]:
        """Score the candidates as if they were whole translations."""
        return settings.score(self.totals, length, coverage_penalty(self.covered, reach)[self.parents])


@torch.inference_mode()
def compete(model: AnyModel, memory: AnyMemory, width: int) -> Iterator[Candidates]:
    """Yield the steps of a search in one sentence, until ended translations fill all places, or to the limit. A step's
    prefixes are the previous step's candidates that got a place and are not `</s>`, in their order."""
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
        carried, covered = taken(step.carried, torch.from_numpy(parents)), covered[parents]
        prefixes = Prefixes(torch.from_numpy(tokens), carried, repeated(memory, len(tokens)))


def search(model: AnyModel, source: Encoding, settings: BeamSettings) -> list[Hypothesis]:
    """Return at most `width` translations, best first: those that ended, or the cut ones if none ended by the limit."""
    memory, (most,) = read(model, [source])
    reach = memory.mask[0].numpy()
    live: list[tuple[int, ...]] = [()]
    ended: list[Hypothesis] = []
    cut: list[Hypothesis] = []
    for step, candidates in enumerate(compete(model, memory, settings.width), start=1):
        both = (candidates.parents, candidates.tokens)
        parents, tokens = (column[: candidates.places].tolist() for column in both)
        grown = [(*live[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        last = step == most
        if last or STOP in tokens:
            numbers = candidates.totals.tolist(), candidates.scores(settings, reach, step).tolist()
            rows = zip(grown, *numbers, strict=False)
            made = [Hypothesis(*row, "end" if row[0][-1] == STOP else "limit") for row in rows]
            ended += [hypothesis for hypothesis in made if hypothesis.stop == "end"]
            cut = made if last else []
        live = [ids for ids in grown if ids[-1] != STOP]
    return sorted(ended or cut, key=lambda hypothesis: hypothesis.score, reverse=True)


def translate(model: AnyPretrained[TraceT], sentences: Sequence[str], settings: BeamSettings) -> list[TraceT]:
    """Return a trace of the best translation of each sentence, in order."""
    sources = [encode(model, sentence) for sentence in sentences]
    best = [search(model, source, settings)[0] for source in sources]
    traces = force_ids(model, sources, [hypothesis.ids for hypothesis in best])
    return [replace(trace, stop=hypothesis.stop) for trace, hypothesis in zip(traces, best, strict=True)]


def write(model: AnyModel, sentences: Sequence[str], settings: BeamSettings, batch_size: int = BATCH) -> Iterator[str]:
    """Yield the translations alone, in normal form and in order; width 1 decodes greedily, in batches."""
    if settings.width > 1:
        for sentence in sentences:
            yield normalise(model.tokenizer.decode(search(model, encode(model, sentence), settings)[0].ids))
        return
    for start in range(0, len(sentences), AHEAD * batch_size):
        yield from map(normalise, write_greedily(model, sentences[start : start + AHEAD * batch_size], batch_size))


def encode(model: AnyModel, sentence: str) -> Encoding:
    return model.tokenizer.encode(sentence, model.tokenizer.languages[0])


def likeliest(logits: Float[Tensor, "B V"], most: int) -> tuple[Int[ndarray, "B K"], Float[ndarray, "B K"]]:
    """Return the likeliest tokens, best first, and their log-probabilities; never `<pad>` or `<s>`."""
    top = logits[:, STOP:].topk(min(most, logits.shape[1] - STOP))
    normaliser = logits.logsumexp(1, keepdim=True)
    return top.indices.numpy() + STOP, top.values.numpy().astype(np.float64) - normaliser.numpy()


def _continuations(
    top_ids: Int[ndarray, "B K"], top: Float[ndarray, "B K"], totals: Float[ndarray, " B"], places: int
) -> tuple[Int[ndarray, " N"], Int[ndarray, " N"], Float[ndarray, " N"], Float[ndarray, " N"]]:
    """Return the last four fields of `Candidates`: for every prefix, as many continuations as there are places."""
    tokens, log_probabilities = top_ids[:, :places], top[:, :places]
    grown = (totals[:, None] + log_probabilities).ravel()
    order = np.argsort(-grown, kind="stable")
    return order // tokens.shape[1], tokens.ravel()[order], log_probabilities.ravel()[order], grown[order]
