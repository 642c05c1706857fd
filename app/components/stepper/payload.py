"""Payload of the stepper: what a browser needs to draw traces, as JSON and arrays that `shared.packed` sends.

Weights between words, probabilities, ranges and the heaviest source word of a row are computed here from the trace. The
browser runs no model: it draws, formats, and adds up the tokens of a word at a single step
(`app/components/stepper/trace_reading.js`). A page that translates by itself computes all of this again, in
`app/export/engine/payload.js`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from string import Template
from typing import Any, NamedTuple, TypedDict

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.app.components.shared.packed import Array, encode
from regard.app.theme import STRIP, component
from regard.model.alignment import BEGIN, ROWS, Alignment, Posterior, Sentence
from regard.model.analysis.model_comparison import pieces
from regard.model.arithmetic import quantity
from regard.model.arithmetic.kinds import FORMS
from regard.model.changes.intervention import ATTENTIONS, UNTOUCHED
from regard.model.doubt.chance import Doubt
from regard.model.memory.occurrences import RARE, Occurrences
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.soft_alignments.record import ForeignSentence
from regard.model.tokenizer import CONTROL
from regard.model.trace import AnyTrace, Maker, Trace, entropy
from regard.model.transformer.trace import TransformerTrace
from regard.model.unknown_words import BYTE
from regard.model.words import END

CONTROLS = {BEGIN: "start of sentence", END: "end of sentence"}
JOINED = "joined to what comes before"
LANGUAGE_TAG = re.compile(r"(?!any$)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")  # "any" is a word rule, not a language


class Label(TypedDict):
    """A token or word as displayed. `kind`: word, piece (continues a word), byte or control; `title`: its tooltip."""

    text: str
    kind: str
    title: str


def label(token: str, inside: bool = False) -> Label:
    """Return a token without the blank that begins a word; `inside` means that it continues a word."""
    if token in CONTROLS:
        return {"text": token, "kind": "control", "title": CONTROLS[token]}
    kind = "byte" if BYTE.fullmatch(token) else "piece" if inside else "word"
    return {"text": token.removeprefix(" ") or "␣", "kind": kind, "title": JOINED if kind == "piece" else ""}


def word_weights(alignment: Alignment, rows: str, links: bool = False) -> dict[str, object]:
    """Return weights between words and each row's heaviest column; for links, where any tokens are linked."""
    merged = alignment.by_words(rows)
    weights = (merged.weights > 0).astype(np.float32) if links else merged.weights
    return {"row_of": list(merged.row_of), "weight": encode(weights), "looked_at": weights.argmax(1).tolist()}


def weight_arrays(weights: Float[ndarray, "T S"]) -> dict[str, Array]:
    """Return the arrays of one attention that the browser gets, by name."""
    return {"weight": encode(weights), "entropy": encode(entropy(weights))}


def labelled(sentence: Sentence) -> dict[str, object]:
    """Return one side: its tokens, which have a blank before them, its words, and which tokens form which word."""
    word_of = sentence.word_of
    inside = [index > 0 and word_of[index - 1] == word for index, word in enumerate(word_of)]
    words: list[Label] = [
        {"text": text, "kind": "word" if text == word else "byte", "title": ""}
        for text, word in zip(sentence.word_labels, sentence.words, strict=True)
    ]
    if sentence.tokens[-1:] == (END,):
        words[-1] = label(END)
    if sentence.tokens[:1] == (BEGIN,):
        words[0] = label(BEGIN)
    return {
        "language": language_tag(sentence.language),
        "tokens": [label(token, goes_on) for token, goes_on in zip(sentence.tokens, inside, strict=True)],
        "apart": [token.startswith(" ") for token in sentence.tokens],
        "words": words,
        "word_of": list(word_of),
    }


def language_tag(language: str) -> str:
    """Return the language if it is one, for the attribute `lang`, or ""."""
    return language if LANGUAGE_TAG.fullmatch(language) else ""


def likeliest_labels(tokens: Sequence[str]) -> list[Label]:
    """Return the labels of the likeliest tokens of a step; if both “?” and “ ?” are there, the first has a dot."""
    return [label(token, goes_on(token) or f" {token}" in tokens) for token in tokens]


def goes_on(token: str) -> bool:
    """True if a token on its own looks like the rest of a word: letters or digits without a blank before."""
    return token[:1].isalnum()


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


class Sides(NamedTuple):
    """The two sides of an attention. `mask` is true where a row may attend; the rows of `at_once` all exist before the
    decoder begins.
    """

    asking: Sentence
    looked_at: Sentence
    mask: Bool[ndarray, "T S"]
    at_once: bool


def sides(trace: TransformerTrace | GivenAttention, attention: str) -> Sides:
    """Return the asking side and the one attended to."""
    asking, looked_at = quantity.sides(trace, attention)
    if attention == "cross":
        return Sides(asking, looked_at, trace.reach, at_once=False)
    if attention == "decoder":
        reach = np.tri(len(asking.tokens), dtype=bool)
        if (
            isinstance(trace, GivenAttention) and np.triu(trace.heads[attention], 1).any()
        ):  # FSMT's forward pass has none
            reach[:] = True
        return Sides(asking, looked_at, reach, at_once=False)
    mask = trace.reach if attention == "self" else np.ones((len(asking.tokens),) * 2, dtype=bool)
    return Sides(asking, looked_at, mask, at_once=True)


def _attention(trace: TransformerTrace, name: str) -> dict[str, Any]:
    numbers = trace.attention(name)
    after = trace.encoder_feed_forward if name == "encoder" else trace.decoder_feed_forward
    own = {"query": numbers.queries, "key": numbers.keys, "value": numbers.values, "mixed": numbers.mixed}
    vectors = {"normalised": numbers.normalised, "joined": numbers.output, "stream": numbers.stream}
    if name != "decoder":  # the feed-forward network follows cross-attention
        vectors |= {"hidden": after.hidden, "feed_forward": after.output, "stream_after": after.stream}
    embedded = trace.target_embedded if name == "decoder" else trace.source_embedded
    drawn = _heads(sides(trace, name), numbers.weights, numbers.mean, own | {"score": numbers.scores}, vectors)
    return drawn | {"embedded": encode(embedded)}  # of the tokens looked at


def _given(given: GivenAttention, name: str) -> dict[str, Any]:
    means = given.heads[name].mean(1, np.float64).astype(np.float32)
    scores = {"score": given.scores[name]} if name in given.scores else {}
    return _heads(sides(given, name), given.heads[name], means.__getitem__, scores, {})


def _heads(
    both: Sides,
    weights: Float[ndarray, "L N T S"],
    mean: Callable[[int], Float[ndarray, "T S"]],
    own: Mapping[str, Any],
    vectors: Mapping[str, Any],
) -> dict[str, Any]:
    """Return every head of every layer and their mean; `own` are arrays of single heads, `vectors` those of a layer."""

    def head_of(layer: int, head: int) -> dict[str, Any]:
        drawn = _weights(weights[layer, head], both)
        return drawn | {"arrays": drawn["arrays"] | {name: encode(array[layer][head]) for name, array in own.items()}}

    return {
        "source": labelled(both.looked_at),
        "target": labelled(both.asking),
        "begin": None if both.at_once else label(BEGIN),
        "mask": encode(both.mask),
        "layers": [
            {
                "heads": [head_of(layer, head) for head in range(weights.shape[1])],
                "mean": _weights(mean(layer), both),
                "arrays": {name: encode(vector[layer]) for name, vector in vectors.items()},
            }
            for layer in range(len(weights))
        ],
    }


def _weights(weights: Float[ndarray, "T S"], both: Sides) -> dict[str, Any]:
    alignment = Alignment(both.looked_at, both.asking, weights)
    return {
        "looked_at": weights.argmax(1).tolist(),
        "words": {rows: word_weights(alignment, rows) for rows in (ROWS[:1] if both.at_once else ROWS)},
        "arrays": weight_arrays(weights),
    }


def mark_rare(drawn: dict[str, Any], trace: AnyTrace, occurrences: Occurrences) -> None:
    """Mark rare words of the source, and rare tokens of both sides, in a trace of the stepper's payload."""
    words = drawn["source"]["words"]
    _mark(words, ([occurrences.word(label["text"]), label["kind"] == "word"] for label in words))
    for side, ids, counts in (
        ("source", trace.source_ids, occurrences.source_tokens),
        ("target", trace.target_ids, occurrences.target_tokens),
    ):
        tokens = drawn[side]["tokens"]
        _mark(tokens, ([int(counts[index]), index >= len(CONTROL)] for index in ids.tolist()))


def _mark(labels: Iterable[dict[str, Any]], counts: Iterable[tuple[int, bool] | list[Any]]) -> None:
    for one, (count, counted) in zip(labels, counts, strict=True):
        if counted and count < RARE:
            one["rare"] = count
            times = "does not occur" if count == 0 else f"occurs {'once' if count == 1 else f'{count} times'}"
            one["title"] = " · ".join(filter(None, [one["title"], f"rare: {times} in the training text"]))


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
        "file": {"links": foreign.links},
    }
    return {"signed": list(STRIP), "traces": [drawn]}


def of_attention(given: GivenAttention, from_file: bool = False) -> dict[str, Any]:
    """Return the payload of attention with layers and heads, and of anything else that was given."""
    drawn = of_alignment(ForeignSentence(given.alignment, 1))
    (trace,) = drawn["traces"]
    trace |= {"name": given.name, "network": None}
    trace["file"] |= {"scored": list(given.scores), "given": not from_file, "causal": given.causal}
    arrays = trace["arrays"] | weight_arrays(given.alignment.weights) | {"mask": encode(given.reach)}
    if given.layered:
        trace["heads"] = {name: _given(given, name) for name in given.heads}
    elif given.scores:
        scores = given.scores["cross"][0, 0]
        arrays |= {"score": encode(scores)}
        trace["ranges"] = {"score": [float(scores.min(initial=0)), float(scores.max(initial=0))]}
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
            "top_labels": [likeliest_labels(tokens) for tokens in given.top_tokens],
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
        "top_labels": [likeliest_labels(tokens) for tokens in trace.top_tokens],
        "others": max(0, trace.maker.vocabulary - trace.top_ids.shape[1]),
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
    half = trace.annotations.shape[1] // 2
    readers = {"forwards": trace.annotations[:, :half], "backwards": trace.annotations[:, half:]}
    measured = {
        kind: ("annotation" if kind == "context" else kind.removeprefix("initial_"), vectors)
        for kind, vectors in (readers | _vectors(trace)).items()
    }
    axes = trace.maker.axes
    return {
        kind: encode(axes[of].coordinates(np.atleast_2d(vectors)))
        for kind, (of, vectors) in measured.items()
        if of in axes
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
