"""Payload of the stepper: what a browser needs to draw traces, as JSON and arrays that `shared.packed` sends.

Weights between words, probabilities, ranges and the heaviest source word of a row are computed here from the trace. The
browser runs no model: it draws, formats, and adds up the tokens of a word at a single step
(`app/components/stepper/trace_reading.js`). A page that translates by itself computes all of this again, in
`app/export/engine/payload.js`.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.network.payload import network
from regard.app.components.shared.head import Head, formula
from regard.app.components.shared.packed import encode
from regard.app.components.stepper.heads import given_heads
from regard.app.components.stepper.heads import heads as heads_of
from regard.app.components.stepper.labels import label, labelled, likeliest_labels, weight_arrays, word_weights
from regard.app.components.stepper.rare import mark_rare
from regard.app.theme import STRIP
from regard.model.alignment import BEGIN, ROWS, Alignment, Posterior, Sentence
from regard.model.analysis.model_comparison import pieces
from regard.model.changes.intervention import UNTOUCHED
from regard.model.doubt.chance import Doubt
from regard.model.memory.occurrences import Occurrences
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.soft_alignments.record import ForeignSentence
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.trace import TransformerTrace


def payload(
    traces: Sequence[AnyTrace], heads: Sequence[Head] = (), posteriors: Sequence[Posterior] = ()
) -> dict[str, Any]:
    """Return the traces with their headings, and the colours of signed numbers.

    Traces side by side share one scale for each kind of number. `heads` and `posteriors` have one item for each trace,
    or none.
    """
    ranges = _widest([_ranges(trace) for trace in traces if isinstance(trace, Trace)])
    shown = [_trace(trace) | {"ranges": ranges} for trace in traces]
    for trace, drawn, head in zip(traces, shown, heads, strict=bool(heads)):
        drawn["head"] = _head(trace, traces[0], head) | {"formula": formula(trace.maker)}
    for trace, drawn, posterior in zip(traces, shown, posteriors, strict=bool(posteriors)):
        drawn["posterior"] = _posterior(trace, posterior)
    return {"signed": list(STRIP), "traces": shown}


def changeable(
    before: AnyTrace,
    after: AnyTrace,
    heads: Sequence[Head],
    offered: Mapping[str, Any],
    posteriors: Sequence[Posterior] = (),
    doubt: Doubt | None = None,
    occurrences: Occurrences | None = None,
) -> dict[str, Any]:
    """Return the payload of a translation that can be changed: alone without a change, then before and after.

    `offered` says what was changed in `after` and what more can be; the heads are those of before and after. `doubt`
    gives the flags below the heatmap. Words and tokens that are rare in the training text are marked if `occurrences`
    counts them.
    """
    traces = [before] if after.intervention == UNTOUCHED else [before, after]
    drawn: dict[str, Any] = payload(traces, posteriors=posteriors)
    for trace, one in zip(traces, drawn["traces"], strict=True):
        if doubt is not None:
            one["flags"] = [flag._asdict() for flag in doubt.flags(trace)]
        if occurrences is not None:
            mark_rare(one, trace, occurrences)
    both = [_head(trace, before, head) for trace, head in zip((before, after), heads, strict=True)]
    return drawn | {"what_if": {**offered, "heads": both}}


def of_alignment(foreign: ForeignSentence) -> dict[str, Any]:
    """Return the payload of weights alone, read from a file: everything else of a trace is missing, and `file` says so.

    Words are linked if any of their tokens are; weights between words are those of the alignment.
    """
    alignment = foreign.alignment
    drawn = {
        "name": "file",
        "stop": "end",
        **_sides(alignment),
        "words": {rows: word_weights(alignment, rows, foreign.links) for rows in ROWS},
        "arrays": {"weight": encode(alignment.weights)},
        "attends": True,
        "file": {"links": foreign.links, "sums": foreign.sums.tolist()},
    }
    return {"signed": list(STRIP), "traces": [drawn]}


def of_attention(given: GivenAttention, from_file: bool = False) -> dict[str, Any]:
    """Return the payload of attention with layers and heads, and of anything else that was given."""
    drawn = of_alignment(ForeignSentence(given.alignment, 1))
    (trace,) = drawn["traces"]
    trace |= {"name": given.name, "network": None}
    trace["file"] |= {"scored": list(given.scores), "given": not from_file}
    arrays = trace["arrays"] | weight_arrays(given.alignment.weights) | {"mask": encode(given.reach)}
    if given.layered:
        trace["heads"] = given_heads(given)
    elif given.scores:
        scores = given.scores["cross"][0, 0]
        arrays |= {"score": encode(scores)}
        trace["ranges"] = {"score": [float(scores.min(initial=0)), float(scores.max(initial=0))]}
    if given.probabilities is not None:
        arrays |= {"probability": encode(given.probabilities), "log_probability": encode(np.log(given.probabilities))}
    if given.next_tokens:
        likely = np.array([[chance for _, chance in step] for step in given.next_tokens], dtype=np.float32)
        arrays |= {"top_probability": encode(likely), "rest": encode(np.maximum(0, 1 - likely.sum(1)))}
        trace |= _as_ids(given)
    trace["arrays"] = arrays
    return drawn


def _as_ids(given: GivenAttention) -> dict[str, object]:
    """Return the next tokens with numbers in place of their ids: only equality matters."""
    number = {
        token: place
        for place, token in enumerate(dict.fromkeys(map(str.strip, chain(given.target, *given.top_tokens))))
    }
    return {
        "target_ids": [number[token.strip()] for token in given.target],
        "top_ids": [[number[token.strip()] for token in step] for step in given.top_tokens],
        "top_labels": [likeliest_labels(tokens) for tokens in given.top_tokens],
    }


def _trace(trace: AnyTrace) -> dict[str, object]:
    numbers = NUMBERS[type(trace)](trace)
    return {
        "name": trace.maker.name,
        "stop": trace.stop,
        **_sides(trace.alignment),
        "target_ids": trace.target_ids.tolist(),
        "top_ids": trace.top_ids.tolist(),
        "top_labels": [likeliest_labels(tokens) for tokens in trace.top_tokens],
        "words": {rows: word_weights(trace.alignment, rows) for rows in ROWS},
        **numbers,
        "arrays": {
            **numbers["arrays"],
            **weight_arrays(trace.weights),
            "top_probability": encode(trace.top_probabilities),
            "rest": encode(trace.rest),
            "log_probability": encode(trace.log_probabilities),
            "probability": encode(np.exp(trace.log_probabilities)),
        },
    }


def _recurrent(trace: Trace) -> dict[str, Any]:
    return {
        "attends": trace.maker.score != "none",
        "network": network(trace),
        "arrays": {
            **{name: encode(vectors) for name, vectors in _vectors(trace).items()},
            "score": encode(trace.scores),
            "mask": encode(trace.mask),
        },
    }


def _vectors(trace: Trace) -> dict[str, Float[ndarray, "..."]]:
    """Return the vectors that are drawn, by the singular of their names."""
    begin, fed = ("initial_state", "initial_cell", "initial_attentional"), ("embeddings", "fed_embeddings")
    names = ("annotations", *begin, "states", "cells", "contexts", "attentional", *fed)
    return {name.removesuffix("s"): getattr(trace, name) for name in names}


def _transformer(trace: TransformerTrace) -> dict[str, Any]:
    return {
        "attends": True,
        "network": {"wiring": "transformer"},
        "heads": heads_of(trace),
        "arrays": {
            "annotation": encode(trace.annotations),
            "attentional": encode(trace.attentional),
        },
    }


NUMBERS: dict[type[AnyTrace], Callable[[Any], dict[str, Any]]] = {Trace: _recurrent, TransformerTrace: _transformer}


def _posterior(trace: AnyTrace, posterior: Posterior) -> dict[str, object]:
    """Return the posterior in place of the weights, with its factors; its rows belong to the tokens produced."""
    return {
        "weight": encode(posterior.posterior),
        "likelihood": encode(posterior.likelihood),
        "looked_at": posterior.posterior.argmax(1).tolist(),
        "words": word_weights(posterior.over(trace.alignment), ROWS[0]),
    }


def _sides(alignment: Alignment) -> dict[str, object]:
    return {
        "source": labelled(alignment.source),
        "target": labelled(alignment.target),
        "begin": label(BEGIN),
        "looked_at": alignment.weights.argmax(1).tolist(),
    }


def _head(trace: AnyTrace, first: AnyTrace, head: Head) -> dict[str, object]:
    """Return a column's head; its translation is in pieces that mark differences from the first column."""
    return {
        "title": head.title,
        "facts": [list(fact) for fact in head.facts],
        "log_probability": trace.log_probability,
        "pieces": _pieces(trace.alignment.target, first.alignment.target),
    }


def _pieces(sentence: Sentence, first: Sentence) -> list[dict[str, str]]:
    if sentence is first:
        return [{"text": sentence.text, "kind": "same"}] if sentence.text else []
    return [{"text": piece.text, "kind": piece.kind} for piece in pieces(sentence, first)]


def _ranges(trace: Trace) -> dict[str, list[float]]:
    """Return the ends of each scale, shared by all steps for comparison; vector scales are symmetric around 0."""
    reach: dict[str, float] = {}
    for name, vectors in _vectors(trace).items():
        kind = name.removeprefix("initial_")
        reach[kind] = max(reach.get(kind, 0), float(np.abs(vectors).max(initial=0)))
    score = [float(trace.scores.min(initial=0)), float(trace.scores.max(initial=0))]
    return {"score": score, **{kind: [-far, far] for kind, far in reach.items()}}


def _widest(ranges: Sequence[dict[str, list[float]]]) -> dict[str, list[float]]:
    """Return the union of several scales."""
    kinds = ranges[0] if ranges else ()
    return {kind: [min(one[kind][0] for one in ranges), max(one[kind][1] for one in ranges)] for kind in kinds}
