"""Payload of the stepper: what a browser needs to draw traces, as JSON but for the arrays, which
`app.components.shared.packed` sends.

Everything derived (weights between words, probabilities, ranges, the heaviest source word of a row) is computed here
from the trace, so that the browser draws and formats and does no arithmetic of the model.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from app.components.shared.head import Head, formula
from app.components.shared.packed import encode
from app.theme import SIGNED
from model.alignment import BEGIN, ROWS, Alignment, Sentence
from model.analysis.model_comparison import pieces
from model.intervention import UNTOUCHED
from model.posterior_attention import Posterior
from model.soft_alignments.record import ForeignSentence
from model.trace import Trace
from model.words import END

CONTROLS = {BEGIN: "start of sentence", END: "end of sentence"}
JOINED = "joined to what comes before"
BYTE = re.compile(r"<0x[0-9A-F]{2}>")
LANGUAGE_TAG = re.compile(r"(?!any$)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")  # "any" is a word rule, no language


class Label(TypedDict):
    """A token or word as shown. `kind` is word, piece (of a word begun before), byte or control; `title` tells more."""

    text: str
    kind: str
    title: str


def payload(
    traces: Sequence[Trace], heads: Sequence[Head] = (), posteriors: Sequence[Posterior] = ()
) -> dict[str, object]:
    """The traces with what is above them, and the colours of signed numbers.

    Traces that stand side by side have one scale for each kind of number. `heads` and `posteriors` are one for each
    trace, or none.
    """
    ranges = _widest([_ranges(trace) for trace in traces])
    shown = [_trace(trace) | {"ranges": ranges} for trace in traces]
    for trace, drawn, head in zip(traces, shown, heads, strict=bool(heads)):
        drawn["head"] = _head(trace, traces[0], head) | {"formula": formula(trace.maker)}
    for trace, drawn, posterior in zip(traces, shown, posteriors, strict=bool(posteriors)):
        drawn["posterior"] = _posterior(trace, posterior)
    return {"signed": [list(stop) for stop in SIGNED], "traces": shown}


def changeable(
    before: Trace,
    after: Trace,
    heads: Sequence[Head],
    offered: Mapping[str, Any],
    posteriors: Sequence[Posterior] = (),
) -> dict[str, Any]:
    """The same of a translation that can be changed: alone while nothing is changed, then before and after.

    `offered` says what was changed in `after` and what more can be; the heads are those of before and after.
    """
    drawn = payload([before] if after.intervention == UNTOUCHED else [before, after], posteriors=posteriors)
    both = [_head(trace, before, head) for trace, head in zip((before, after), heads, strict=True)]
    return drawn | {"what_if": {**offered, "heads": both}}


def of_alignment(foreign: ForeignSentence) -> dict[str, object]:
    """The same of weights alone, read from a file: all else that a trace has is missing, and `file` says so.

    Words are linked where any of their tokens are; weights between words are those of the alignment.
    """
    alignment = foreign.alignment
    drawn = {
        "name": "file",
        "stop": "end",
        **_sides(alignment),
        "words": {rows: _words(alignment, rows, foreign.links) for rows in ROWS},
        "arrays": {"weight": encode(alignment.weights)},
        "file": {"links": foreign.links, "sums": foreign.sums.tolist()},
    }
    return {"signed": [list(stop) for stop in SIGNED], "traces": [drawn]}


def next_tokens(trace: Trace, step: int) -> dict[str, object]:
    """The likeliest next tokens of one step (from 0), and what is left for all others."""
    if not 0 <= step < len(trace.target):
        return {}
    return {
        "labels": [label(token, _goes_on(token)) for token in trace.top_tokens[step]],
        "probabilities": trace.top_probabilities[step].tolist(),
        "rest": float(trace.rest[step]),
    }


def label(token: str, inside: bool = False) -> Label:
    """A token without the blank that begins a word; `inside` says that it goes on a word."""
    if token in CONTROLS:
        return {"text": token, "kind": "control", "title": CONTROLS[token]}
    kind = "byte" if BYTE.fullmatch(token) else "piece" if inside else "word"
    return {"text": token.removeprefix(" ") or "␣", "kind": kind, "title": JOINED if kind == "piece" else ""}


def _trace(trace: Trace) -> dict[str, object]:
    alignment = trace.alignment
    return {
        "name": trace.maker.name,
        "stop": trace.stop,
        **_sides(alignment),
        "target_ids": trace.target_ids.tolist(),
        "top_ids": trace.top_ids.tolist(),
        "top_labels": [[label(token, _goes_on(token)) for token in likeliest] for likeliest in trace.top_tokens],
        "words": {rows: _words(alignment, rows) for rows in ROWS},
        "arrays": {
            "annotation": encode(trace.annotations),
            "initial_state": encode(trace.initial_state),
            "initial_cell": encode(trace.initial_cell),
            "state": encode(trace.states),
            "cell": encode(trace.cells),
            "context": encode(trace.contexts),
            "attentional": encode(trace.attentional),
            "score": encode(trace.scores),
            "mask": encode(trace.mask),
            "weight": encode(trace.weights),
            "top_probability": encode(trace.top_probabilities),
            "rest": encode(trace.rest),
            "log_probability": encode(trace.log_probabilities),
            "probability": encode(np.exp(trace.log_probabilities)),
        },
    }


def _posterior(trace: Trace, posterior: Posterior) -> dict[str, object]:
    """In place of the weights, with what makes it of them; its rows are those of what was produced."""
    alignment = posterior.over(trace.alignment)
    return {
        "weight": encode(posterior.posterior),
        "likelihood": encode(posterior.likelihood),
        "looked_at": posterior.posterior.argmax(1).tolist(),
        "words": _words(alignment, ROWS[0]),
    }


def _sides(alignment: Alignment) -> dict[str, object]:
    return {
        "source": _sentence(alignment.source),
        "target": _sentence(alignment.target),
        "begin": label(BEGIN),
        "looked_at": alignment.weights.argmax(1).tolist(),
    }


def _head(trace: Trace, first: Trace, head: Head) -> dict[str, object]:
    """What is above a column; its translation is in pieces that tell what the first column has other."""
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


def _words(alignment: Alignment, rows: str, links: bool = False) -> dict[str, object]:
    """Weights between words, and for each row the heaviest column; or where any of their tokens are linked."""
    merged = alignment.by_words(rows)
    weights = (merged.weights > 0).astype(np.float32) if links else merged.weights
    return {"row_of": list(merged.row_of), "weight": encode(weights), "looked_at": weights.argmax(1).tolist()}


def _sentence(sentence: Sentence) -> dict[str, object]:
    word_of = sentence.word_of
    inside = [index > 0 and word_of[index - 1] == word for index, word in enumerate(word_of)]
    words: list[Label] = [{"text": word, "kind": "word", "title": ""} for word in sentence.words]
    if sentence.tokens[-1:] == (END,):
        words[-1] = label(END)
    return {
        "language": sentence.language if LANGUAGE_TAG.fullmatch(sentence.language) else "",
        "tokens": [label(token, goes_on) for token, goes_on in zip(sentence.tokens, inside, strict=True)],
        "words": words,
        "word_of": list(word_of),
    }


def _goes_on(token: str) -> bool:
    """Whether a token that stands alone looks like the rest of a word: letters or digits without a blank before."""
    return token[:1].isalnum()


def _ranges(trace: Trace) -> dict[str, list[float]]:
    """The ends of each scale, the same at all steps so that steps compare; vectors reach as far below 0 as above."""
    vectors = {
        "annotation": [trace.annotations],
        "state": [trace.initial_state, trace.states],
        "cell": [trace.initial_cell, trace.cells],
        "context": [trace.contexts],
        "attentional": [trace.attentional],
    }
    reach = {kind: max(float(np.abs(array).max(initial=0)) for array in arrays) for kind, arrays in vectors.items()}
    score = [float(trace.scores.min(initial=0)), float(trace.scores.max(initial=0))]
    return {"score": score, **{kind: [-far, far] for kind, far in reach.items()}}


def _widest(ranges: Sequence[dict[str, list[float]]]) -> dict[str, list[float]]:
    """From the lowest to the highest end of several scales."""
    return {kind: [min(one[kind][0] for one in ranges), max(one[kind][1] for one in ranges)] for kind in ranges[0]}
