"""Labels of the stepper: tokens and words as displayed, and the weights between words."""

import re
from collections.abc import Sequence
from string import Template
from typing import NamedTuple, TypedDict

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.shared.packed import Array, encode
from regard.app.theme import component
from regard.model.alignment import BEGIN, Alignment, Sentence
from regard.model.arithmetic.kinds import FORMS
from regard.model.trace import AnyTrace, Maker, entropy
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
