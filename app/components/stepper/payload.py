"""Payload of the stepper: what a browser needs to draw traces, as JSON and arrays that `shared.packed` sends.

The numbers are those of the traces; the browser labels tokens and words, and adds up the weights between words
(`app/components/shared/alignment.js`). A page that translates by itself makes the same of its own traces, in
`app/export/engine/trace.js`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from string import Template
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.app.components.shared.packed import Array, encode
from regard.app.theme import STRIP, component
from regard.model.alignment import Alignment, Posterior, Sentence
from regard.model.analysis.model_comparison import pieces
from regard.model.arithmetic.quantity import FORMS
from regard.model.changes.intervention import ATTENTIONS, UNTOUCHED
from regard.model.doubt.chance import Doubt
from regard.model.memory.occurrences import RARE, Occurrences
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.soft_alignments.record import ForeignSentence
from regard.model.tokenizer import CONTROL
from regard.model.trace import AnyTrace, Maker, Trace, entropy
from regard.model.transformer.trace import TransformerTrace

LANGUAGE_TAG = re.compile(r"(?!any$)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")  # "any" is a word rule, not a language


def _weight_arrays(weights: Float[ndarray, "T S"]) -> dict[str, Array]:
    return {"weight": encode(weights), "entropy": encode(entropy(weights))}


def side(sentence: Sentence) -> dict[str, Any]:
    """Return one side: its tokens, its words, and which tokens form which word."""
    return {
        "language": language_tag(sentence.language),
        "tokens": sentence.tokens,
        "words": sentence.words,
        "wordOf": sentence.word_of,
    }


def language_tag(language: str) -> str:
    """Return the language if it is one, for the attribute `lang`, or ""."""
    return language if LANGUAGE_TAG.fullmatch(language) else ""


ASKING = {"luong": "t", "bahdanau": "t−1", "transformer": "t"}  # index of the state that asks, by wiring


class Head(NamedTuple):
    """`facts` are pairs of a name and its value as written, such as: time, 84 ms."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()


def gain(before: AnyTrace, after: AnyTrace) -> tuple[str, str]:
    """Return the fact that says how much log-probability a change gained or lost."""
    gained = after.log_probability - before.log_probability
    return ("gained" if gained >= 0 else "lost", component(abs(gained)) if gained else "nothing")


def formula(maker: Maker) -> str:
    """Return the score of a model, or what replaces it."""
    form = "head_score" if maker.wiring == "transformer" else f"score/{maker.score}"
    return Template(FORMS[form].brief).substitute(asking=ASKING[maker.wiring])


def _reach(trace: TransformerTrace | GivenAttention, attention: str) -> Bool[ndarray, "T S"]:
    """Return where each row of an attention may attend."""
    if attention in ("cross", "self"):
        return trace.reach
    rows = len(trace.source if attention == "encoder" else trace.target)
    later = isinstance(trace, GivenAttention) and np.triu(trace.heads[attention], 1).any()  # FSMT's forward pass
    return np.ones((rows, rows), dtype=bool) if attention == "encoder" or later else np.tri(rows, dtype=bool)


def _attention(trace: TransformerTrace, name: str) -> dict[str, Any]:
    numbers = trace.attention(name)
    after = trace.encoder_feed_forward if name == "encoder" else trace.decoder_feed_forward
    own = {"query": numbers.queries, "key": numbers.keys, "value": numbers.values, "mixed": numbers.mixed}
    vectors = {"normalised": numbers.normalised, "joined": numbers.output, "stream": numbers.stream}
    if name != "decoder":  # the feed-forward network follows cross-attention
        vectors |= {"hidden": after.hidden, "feed_forward": after.output, "stream_after": after.stream}
    embedded = trace.target_embedded if name == "decoder" else trace.source_embedded
    drawn = _heads(_reach(trace, name), numbers.weights, numbers.mean, own | {"score": numbers.scores}, vectors)
    return drawn | {"embedded": encode(embedded)}  # of the tokens looked at


def _given(given: GivenAttention, name: str) -> dict[str, Any]:
    means = given.heads[name].mean(1, np.float64).astype(np.float32)
    scores = {"score": given.scores[name]} if name in given.scores else {}
    return _heads(_reach(given, name), given.heads[name], means.__getitem__, scores, {})


def _heads(
    mask: Bool[ndarray, "T S"],
    weights: Float[ndarray, "L N T S"],
    mean: Callable[[int], Float[ndarray, "T S"]],
    own: Mapping[str, Any],
    vectors: Mapping[str, Any],
) -> dict[str, Any]:
    """Return every head of every layer and their mean; `own` are arrays of single heads, `vectors` those of a layer."""

    return {
        "mask": encode(mask),
        "layers": [
            {
                "heads": [
                    _weight_arrays(one) | {name: encode(array[layer][head]) for name, array in own.items()}
                    for head, one in enumerate(weights[layer])
                ],
                "mean": _weight_arrays(mean(layer)),
                "arrays": {name: encode(vector[layer]) for name, vector in vectors.items()},
            }
            for layer in range(len(weights))
        ],
    }


def mark_rare(drawn: dict[str, Any], trace: AnyTrace, occurrences: Occurrences) -> None:
    """Count rare words of the source, and rare tokens of both sides, in a trace of the stepper's payload."""
    source = trace.alignment.source
    words = [
        occurrences.word(word) if place < source.spoken and word == shown else None
        for place, (word, shown) in enumerate(zip(source.words, source.word_labels, strict=True))
    ]

    def rare(counts: Sequence[int | None]) -> list[int | None]:
        return [count if count is not None and count < RARE else None for count in counts]

    def tokens(ids: ndarray, counts: ndarray) -> list[int | None]:
        return rare([int(counts[index]) if index >= len(CONTROL) else None for index in ids.tolist()])

    drawn["source"]["rare"] = {"words": rare(words), "tokens": tokens(trace.source_ids, occurrences.source_tokens)}
    drawn["target"]["rare"] = {"tokens": tokens(trace.target_ids, occurrences.target_tokens)}


def payload(
    traces: Sequence[AnyTrace], heads: Sequence[Head] = (), posteriors: Sequence[Posterior] = ()
) -> dict[str, Any]:
    """Return the traces with their headings, and the colours of signed numbers.

    `heads` and `posteriors` have one item for each trace, or none.
    """
    shown = [_trace(trace) for trace in traces]
    for trace, drawn, head in zip(traces, shown, heads, strict=bool(heads)):
        drawn["head"] = _head(trace, traces[0], head) | {"formula": formula(trace.maker)}
    for drawn, posterior in zip(shown, posteriors, strict=bool(posteriors)):  # its rows belong to the tokens produced
        drawn["posterior"] = {"weight": encode(posterior.posterior), "likelihood": encode(posterior.likelihood)}
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
    """Return the payload of weights alone, read from a file: a trace without everything else, as `file` says."""
    alignment = foreign.alignment
    drawn = {
        "name": "file",
        "stop": "end",
        **_sides(alignment),
        "arrays": {"weight": encode(alignment.weights)},
        "attends": True,
        "file": {"links": foreign.links},
    }
    return {"signed": list(STRIP), "traces": [drawn]}


def of_attention(given: GivenAttention, from_file: bool = False) -> dict[str, Any]:
    """Return the payload of attention with layers and heads, and of anything else that was given."""
    drawn = of_alignment(ForeignSentence(given.alignment, 1))
    (trace,) = drawn["traces"]
    trace |= {"name": given.name, "network": None}
    trace["file"] |= {"scored": list(given.scores), "given": not from_file, "causal": given.causal}
    arrays = trace["arrays"] | _weight_arrays(given.alignment.weights) | {"mask": encode(given.reach)}
    if given.layered:
        trace["heads"] = {name: _given(given, name) for name in given.heads}
    elif given.scores:
        arrays |= {"score": encode(given.scores["cross"][0, 0])}
    if given.probabilities is not None:
        arrays |= {"probability": encode(given.probabilities), "log_probability": encode(np.log(given.probabilities))}
    if given.next_tokens:
        likely = np.array([[chance for _, chance in step] for step in given.next_tokens], dtype=np.float32)
        arrays |= {"top_probability": encode(likely), "rest": encode(np.maximum(0, 1 - likely.sum(1)))}
        stripped = map(str.strip, chain(given.target, *given.top_tokens))
        number = {token: place for place, token in enumerate(dict.fromkeys(stripped))}  # for ids: only equality matters
        trace |= {
            "target_ids": [number[token.strip()] for token in given.target],
            "top_ids": [[number[token.strip()] for token in step] for step in given.top_tokens],
            "top_tokens": given.top_tokens,
        }
    trace["arrays"] = arrays
    return drawn


def _trace(trace: AnyTrace) -> dict[str, object]:
    numbers = NUMBERS[type(trace)](trace)
    return {
        "name": trace.maker.name,
        "stop": trace.stop,
        "carried": [[one.target.start, one.target.stop, one.text.strip()] for one in trace.carried],
        **_sides(trace.alignment),
        "target_ids": trace.target_ids.tolist(),
        "top_ids": trace.top_ids.tolist(),
        "top_tokens": trace.top_tokens,
        "others": max(0, trace.maker.vocabulary - trace.top_ids.shape[1]),
        **numbers,
        "arrays": {
            **numbers["arrays"],
            **_weight_arrays(trace.weights),
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


def network(trace: Trace) -> dict[str, Any] | None:
    """Return the picture's part of a trace's payload; None for a model whose principal axes were never measured."""
    maker = trace.maker
    if not maker.axes:
        return None
    gates = [name for name in maker.gates if name != "candidate"]  # the candidate is what the gates let through
    opening = trace.gates[:, [maker.gates.index(name) for name in gates]]
    return {
        "score": maker.score,
        "wiring": maker.wiring,
        "cell": maker.cell,
        "input_feeding": maker.input_feeding,
        "shares": {kind: axes.share for kind, axes in maker.axes.items()},
        "coordinates": coordinates(trace),
        "gates": gates,
        "openness": encode(opening.mean(2, dtype=np.float64)),  # of each gate, over its components
    }


def coordinates(trace: Trace) -> dict[str, Array]:
    """Return the coordinates of every vector drawn, by kind, with a row for each token or step.

    A context has the axes of annotations, so its coordinates are the weighted sum of theirs.
    """
    forwards, backwards = np.split(trace.annotations, 2, axis=1)
    axes = {**trace.maker.axes, "context": trace.maker.axes["annotation"]}
    return {
        kind: encode(axes[of].coordinates(np.atleast_2d(vectors)))
        for kind, vectors in ({"forwards": forwards, "backwards": backwards} | _vectors(trace)).items()
        if (of := kind.removeprefix("initial_")) in axes
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
        "heads": {name: _attention(trace, name) for name in ATTENTIONS},
        "arrays": {
            "annotation": encode(trace.annotations),
            "attentional": encode(trace.attentional),
        },
    }


NUMBERS: dict[type[AnyTrace], Callable[[Any], dict[str, Any]]] = {Trace: _recurrent, TransformerTrace: _transformer}


def _sides(alignment: Alignment) -> dict[str, object]:
    return {"source": side(alignment.source), "target": side(alignment.target)}


def _head(trace: AnyTrace, first: AnyTrace, head: Head) -> dict[str, object]:
    """Return a column's head; its translation is in pieces that mark differences from the first column."""
    if trace is first or trace.carried:  # words carried over are no tokens to compare
        parts = [{"text": trace.text, "kind": "same"}] if trace.text else []
    else:
        parts = [asdict(piece) for piece in pieces(trace.alignment.target, first.alignment.target)]
    return {
        "title": head.title,
        "facts": [list(fact) for fact in head.facts],
        "log_probability": trace.log_probability,
        "pieces": parts,
    }
