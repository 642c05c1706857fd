"""Comparison of two models on one sentence: the words they write, and their weights where they read the same words."""

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.input_error import InputError


@dataclass(frozen=True)
class Piece:
    """A run of words, or the blank between two runs. `kind` is "same", or "other" for words that the other sentence
    lacks or has less often."""

    text: str
    kind: str


def pieces(sentence: Sentence, other: Sentence) -> tuple[Piece, ...]:
    """Split the sentence into pieces that add up to its text."""
    left, parts, end = Counter(other.words[: other.spoken]), [], 0
    for word, span in zip(sentence.words, sentence.spans, strict=False):
        parts += [(sentence.text[end : span.start], "same")]
        parts += [(sentence.text[span.start : span.stop], "same" if left[word] > 0 else "other")]
        left[word] -= 1
        end = span.stop
    parts.append((sentence.text[end:], "same"))
    runs = groupby((part for part in parts if part[0]), key=lambda part: part[1])
    return tuple(Piece("".join(text for text, _ in run), kind) for kind, run in runs)


@dataclass(frozen=True, eq=False)
class Contrast:
    """One model's weights between words minus another's; both read the same source and target."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    more: Float[ndarray, "R C"]  # −1 to 1; each row adds up to 0

    @property
    def largest(self) -> tuple[int, int]:
        """Return the row and column of the number farthest from 0."""
        row, column = np.unravel_index(np.abs(self.more).argmax(), self.more.shape)
        return int(row), int(column)


def contrast(one: Alignment, other: Alignment) -> Contrast:
    """Return how much more the first model looks at each source word than the second, for each word they produce.
    Raises InputError if their words differ on either side."""
    first, second = one.by_words(), other.by_words()
    for side, words, other_words in (("source", first.columns, second.columns), ("target", first.rows, second.rows)):
        if words != other_words:
            raise InputError(
                f"these two divide the {side} into different words: {' '.join(words)} and {' '.join(other_words)}"
            )
    return Contrast(first.rows, first.columns, first.weights - second.weights)


def likeness(one: Sentence, other: Sentence) -> float:
    """Return 2 M / N for M shared words in the same order among N words of both: 1 for equal sentences, 0 for none.
    Punctuation marks are no words.

    The longest run of words that both have is taken first, then the longest before it and after it, and so on (Ratcliff
    and Obershelp; `difflib`). Capitals count. Two sentences without words count as equal.
    """
    return SequenceMatcher(None, other.lettered, one.lettered, False).ratio()
