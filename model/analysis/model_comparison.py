"""Comparison of two models on one sentence: the words they write, and their weights where they read the same words."""

from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.input_error import InputError
from regard.model.words import Span

KINDS = ("same", "other", "missing")  # words of both sentences; of this one alone; of the other alone


@dataclass(frozen=True)
class Piece:
    """A run of words, or the blank between two runs; a missing piece is not part of the sentence."""

    text: str
    kind: str


def pieces(sentence: Sentence, other: Sentence) -> tuple[Piece, ...]:
    """Split the sentence into runs of words that the other has, too, and runs that it does not have. All pieces except
    missing ones add up to its text. The longest matching runs are paired first (`difflib`)."""
    spans, other_spans = sentence.spans, other.spans
    words, other_words = sentence.words[: sentence.spoken], other.words[: other.spoken]
    runs: list[Piece] = []
    written = 0  # characters of the text so far
    for change, start, stop, first, last in SequenceMatcher(None, other_words, words, False).get_opcodes():
        if change == "delete":
            runs.append(Piece(other.text[other_spans[start].start : other_spans[stop - 1].stop], "missing"))
            continue
        run = Span(spans[first].start, spans[last - 1].stop)
        runs.append(Piece(sentence.text[written : run.start], "same"))
        runs.append(Piece(sentence.text[run.start : run.stop], "same" if change == "equal" else "other"))
        written = run.stop
    runs.append(Piece(sentence.text[written:], "same"))
    return tuple(piece for piece in runs if piece.text)


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
