"""Soft alignment, the result of any attention: a source, a target and a weight for every pair of their tokens.

Word weights are the sum over the tokens of a source word and the mean over those of a target word, so that each row
still sums to 1.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.input_error import InputError, check_choice
from regard.model.values import ReadOnly
from regard.model.words import END, Span

BEGIN = "<s>"  # fed in before the first token; never part of a target
ROWS = ("output", "input")  # a row of weights belongs to the output token (produced) or to the input token (fed in)
BROKEN = "\ufffd"  # bytes that form no character
STEP = "step"  # or each step keeps a row of its own, whichever word it belongs to
AFTER = "posterior"
READ_AS = (*ROWS, AFTER)  # by the word that a row of weights belongs to, or by the posterior of the token produced


@dataclass(frozen=True)
class Sentence:
    """One side of a pair. A token that begins a word after a blank starts with that blank; `</s>` is its own word."""

    text: str
    language: str
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    word_of: tuple[int, ...]  # for each token, the index of its word
    characters: tuple[Span, ...]  # for each token, its characters in `text`; `</s>` covers none, at the end

    def __post_init__(self) -> None:
        if not len(self.tokens) == len(self.word_of) == len(self.characters):
            counts = f"{len(self.tokens)}, {len(self.word_of)} and {len(self.characters)}"
            raise InputError(f"tokens, words and characters must correspond; there are {counts}")
        if not set(self.word_of) <= set(range(len(self.words))):
            raise InputError(f"tokens belong to words {sorted(set(self.word_of))}; there are {len(self.words)}")

    @property
    def spans(self) -> tuple[Span, ...]:
        """Return the characters of each word."""
        owned = [
            [span for span, owner in zip(self.characters, self.word_of, strict=True) if owner == word]
            for word in range(self.spoken)
        ]
        return tuple(Span(min(span.start for span in own), max(span.stop for span in own)) for own in owned)

    @property
    def word_labels(self) -> tuple[str, ...]:
        """Return the words, with the names of its bytes for one whose bytes form no character."""
        return tuple(
            "".join(token for token, owner in zip(self.tokens, self.word_of, strict=True) if owner == index).strip()
            if BROKEN in word
            else word
            for index, word in enumerate(self.words)
        )

    @property
    def spoken(self) -> int:
        """Return the number of words without `</s>`, meaning the end token, not text that looks like it."""
        return len(self.words) - (self.tokens[-1:] == (END,))

    @property
    def lettered(self) -> tuple[str, ...]:
        """Return the words with a letter or a digit, in order: neither punctuation marks nor `</s>`."""
        return tuple(word for word in self.words[: self.spoken] if any(map(str.isalnum, word)))

    def fed(self) -> "Sentence":
        """Return what a decoder is fed to write this sentence, step by step: `<s>`, then every token but the last."""
        count = len(self.tokens)
        word_of = (0, *(word + 1 for word in self.word_of[:-1]))[:count]
        return Sentence(
            self.text,
            self.language,
            (BEGIN, *self.tokens[:-1])[:count],
            (BEGIN, *self.words)[: max(word_of, default=-1) + 1],
            word_of,
            (Span(0, 0), *self.characters[:-1])[:count],
        )


@dataclass(frozen=True, eq=False)
class WordWeights:
    """Weights between words. `row_of` gives the row of each decoder step."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: Float[ndarray, "R C"]
    row_of: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Alignment(ReadOnly):
    source: Sentence
    target: Sentence
    weights: Float[ndarray, "T S"]

    def __post_init__(self) -> None:
        super().__post_init__()
        expected = len(self.target.tokens), len(self.source.tokens)
        if self.weights.shape != expected:
            raise InputError(f"weights have the shape {self.weights.shape}; the tokens ask for {expected}")

    def fed(self) -> tuple[str, ...]:
        """Return the token fed in at each step: `<s>`, then every target token but the last."""
        return self.target.fed().tokens

    def by_words(self, rows: str = "output") -> WordWeights:
        """Return weights between words; `rows` says whether a step belongs to the word produced or to the word fed in.
        With `STEP`, only the columns are merged into words."""
        check_choice("rows", rows, (*ROWS, STEP))
        target = self.target.fed() if rows == "input" else self.target
        row_of, names = target.word_of, target.word_labels
        if rows == STEP:
            row_of, names = tuple(range(len(row_of))), target.tokens
        columns = _indicator(self.source.word_of, len(self.source.words))
        steps = _indicator(row_of, len(names))
        merged = (steps.T @ self.weights.astype(np.float64) @ columns) / steps.sum(0)[:, None]
        return WordWeights(names, self.source.word_labels, merged.astype(self.weights.dtype), tuple(row_of))

    def links(self, rows: str = "output") -> tuple[tuple[int, int], ...]:
        """Return pairs (source word, target word): each target word's heaviest source word, unless it is `</s>`."""
        merged = self.by_words(rows)
        shift = rows == "input"
        pairs = [(int(source), row - shift) for row, source in enumerate(merged.weights.argmax(1))]
        return tuple(
            (source, target)
            for source, target in pairs
            if source < self.source.spoken and 0 <= target < self.target.spoken
        )


@dataclass(frozen=True, eq=False)
class Posterior(ReadOnly):
    """Posterior attention: where the decoder looked, inferred once the output word is known. Shankar and Sarawagi
    (2019). It is what the weights would be given the word produced, never the attention itself.

        p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)

    A row per target token, a column per source token; every row of `prior` and `posterior` sums to 1.
    `regard.model.word_alignment.posterior` computes it from a model, `regard.model.reference.recompute` in NumPy.
    """

    prior: Float[ndarray, "T S"]  # the attention weights of the trace
    likelihood: Float[ndarray, "T S"]  # of the token written, with all weight on one position
    posterior: Float[ndarray, "T S"]

    @property
    def product(self) -> Float[ndarray, "T S"]:
        """The prior times the likelihood."""
        return self.prior * self.likelihood

    @property
    def evidence(self) -> Float[ndarray, " T"]:
        """The sum of a row's products, its normaliser: the token's probability if one position were sampled."""
        return self.product.sum(1)

    def over(self, alignment: Alignment) -> Alignment:
        """Return the alignment with the posterior in place of the weights; its rows belong to the tokens produced."""
        return replace(alignment, weights=self.posterior)


class AlignedTokens:
    """The tokens of both sides, for any value that has an alignment."""

    alignment: Alignment

    @property
    def source(self) -> tuple[str, ...]:
        """The source tokens."""
        return self.alignment.source.tokens

    @property
    def target(self) -> tuple[str, ...]:
        """The target tokens."""
        return self.alignment.target.tokens

    @property
    def text(self) -> str:
        """The translation."""
        return self.alignment.target.text


def token_label(token: str) -> str:
    """Return a token as text, with a dot where it continues a word: “aime” after a blank, “·aime” after “t'”."""
    if token.startswith(" "):
        return token[1:] or "␣"
    return f"·{token}" if token[:1].isalnum() else token


def _indicator(group_of: tuple[int, ...], groups: int) -> Float[ndarray, "N M"]:
    """Return a matrix whose row n has a 1 in the column of its group."""
    return np.eye(groups)[list(group_of)]
