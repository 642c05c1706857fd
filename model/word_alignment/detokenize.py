"""Detokenisation: join separated words into ordinary text, and map attention between tokens to those words.

Aligned corpora separate words by blanks: `L' aîné`, `do n't`, `mill , his ass`. A model that was trained on ordinary
text should read ordinary text: `L'aîné`, `don't`, `mill, his ass`. French keeps its blank before `; : ! ?` and
inside « ».
"""

import re
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import ROWS, Alignment, Sentence
from regard.model.input_error import check_choice
from regard.model.words import Span, normalise


def _rule(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


# Matches two neighbours, one per line, that are written without a blank between them.
JOINING: dict[str, re.Pattern[str]] = {
    "en": _rule(r"\nn?'(?:s|m|re|ve|ll|d|t)\Z", r"s\n'\Z", r"\A[(\[{]\n", r"\n[.,;:!?…)\]}%]+\Z"),
    "fr": _rule(r"'\n", r"\n'hui\Z", r"\n-\w", r"\A[(\[{]\n", r"\n[.,…)\]}%]+\Z"),
    "plain": _rule(r"(?!)"),
    "any": _rule(r"\A[(\[{]\n", r"\n[.,;:!?…)\]}%]+\Z"),
}


@dataclass(frozen=True)
class Joined:
    """One side of a pair: the text in normal form, and the characters that each given word covers."""

    text: str
    words: tuple[str, ...]
    spans: tuple[Span, ...]


def join(line: str, language: str) -> Joined:
    """Join words separated by plain blanks into text. A word without a visible character covers nothing."""
    given = tuple(word for word in re.split(r"[ \t]+", line.strip(" \t\r\n")) if word)
    rule = JOINING.get(language, JOINING["any"])
    text, before, spans, quotes = "", "", [], 0
    for word in map(normalise, given):
        quotes += word == '"'
        mark = word if word != '"' else "(" if quotes % 2 else ")"  # straight quotes alternately open and close
        apart = bool(text and word) and not rule.search(f"{before}\n{mark}")
        start = len(text) + apart
        text += " " * apart + word
        spans.append(Span(start, len(text)))
        before = mark or before
    return Joined(text, given, tuple(spans))


def between(alignment: Alignment, source: Joined, target: Joined, rows: str = "output") -> Float[ndarray, "R C"]:
    """Return weights between given words, a row per target word, of a pair forced as a whole; last column `</s>`. As in
    `Alignment.by_words`, the weights are summed over the tokens of a source word and averaged over those of a target
    word. A token that lies in two given words (`n't` in `Don 't`) counts in each by its share of characters. A target
    word without a token has a row of zeros. A step belongs to the word produced or to the word fed in (`rows`)."""
    check_choice("rows", rows, ROWS)
    columns = shares(alignment.source, source)
    steps = shares(alignment.target, target)[:, :-1]
    if rows == "input":
        steps = np.vstack([np.zeros_like(steps[:1]), steps[:-1]])
    merged = steps.T @ alignment.weights.astype(np.float64) @ columns
    return merged / np.maximum(steps.sum(0), np.finfo(np.float64).tiny)[:, None]


def links(weights: Float[ndarray, "R C"]) -> list[tuple[int, int]]:
    """Return pairs (source word, target word): the heaviest source word of each target word, unless it is `</s>`."""
    end = weights.shape[1] - 1
    heaviest = weights.argmax(1).tolist()
    return [(source, row) for row, source in enumerate(heaviest) if source != end and weights[row].any()]


def shares(sentence: Sentence, joined: Joined) -> Float[ndarray, "N M"]:
    """Return how much of each token lies in each given word; the last row and column are those of `</s>`."""
    tokens = np.array([(token.start, token.stop) for token in sentence.characters[:-1]], dtype=int).reshape(-1, 2)
    words = np.array([(word.start, word.stop) for word in joined.spans], dtype=int).reshape(-1, 2)
    stops = np.maximum(tokens[:, 1], tokens[:, 0] + 1)  # a lone blank counts as the character after it
    shared = np.minimum.outer(stops, words[:, 1]) - np.maximum.outer(tokens[:, 0], words[:, 0])
    portions = np.zeros((len(tokens) + 1, len(words) + 1))
    portions[:-1, :-1] = np.maximum(0, shared)
    portions[-1, -1] = 1
    return portions / np.maximum(1, portions.sum(1, keepdims=True))
