"""Coverage: the attention that each source word gets over a whole translation, Σ_t α_ti (after Tu et al. 2016).

Two problems are flagged. A source word is *left out* if hardly any attention to it led to a likely token:

    credit_i = Σ_t α_ti p(y_t) / max_y p(y)

In greedy decoding each factor p(y_t) / max_y p(y) is 1, and the credit is the coverage. In a given translation it may
be less: the decoder attends to a word because it is about to write it, and the given text may continue differently.
Words that the model usually passes over (`to`, `do`) are never flagged. A source word is *said twice* if a target word
occurs twice for it that rarely occurs twice in a sentence.
"""

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.trace import AnyTrace

LEAST = 0.15  # credit below which a word counts as left out; chosen on the validation part of the text
NEARBY = 2  # words between which a repetition counts even if its two rows are heaviest on different source words


class CoverageFlag(NamedTuple):
    """A source word that seems left out, or a target word that seems to say one source word twice."""

    source: int
    kind: Literal["left out", "said twice"]
    target: int  # the second of the two target words; −1 if the source word is left out
    credit: float  # of the source word


def coverage(trace: AnyTrace) -> Float[ndarray, " C"]:
    """Return the sum of each column of the weights between words."""
    return trace.alignment.by_words().weights.sum(0, dtype=np.float64)


def credit(trace: AnyTrace) -> Float[ndarray, " C"]:
    """Return the coverage with each step counted by its token's probability relative to the likeliest token's."""
    near = np.exp(np.minimum(0, trace.logits - trace.top_logits[:, 0]))
    counted = (trace.weights * near[:, None]).astype(trace.weights.dtype)
    return replace(trace.alignment, weights=counted).by_words().weights.sum(0, dtype=np.float64)


def flags(trace: AnyTrace, passed_over: Set[str], repeated: Set[str]) -> tuple[CoverageFlag, ...]:
    """Return the flags in the order of the source. Both sets are of lower-case words: source words that the model
    usually passes over, and target words that often occur twice in a sentence."""
    given = credit(trace).tolist()
    return tuple(sorted({*_left_out(trace, given, passed_over), *_said_twice(trace, given, repeated)}))


def _left_out(trace: AnyTrace, given: Sequence[float], passed_over: Set[str]) -> list[CoverageFlag]:
    side = trace.alignment.source
    return [
        CoverageFlag(place, "left out", -1, given[place])
        for place, word in enumerate(side.words[: side.spoken])
        if given[place] < LEAST and any(map(str.isalnum, word)) and word.lower() not in passed_over
    ]


def _said_twice(trace: AnyTrace, given: Sequence[float], repeated: Set[str]) -> list[CoverageFlag]:
    side, looked_at = trace.alignment.target, trace.alignment.by_words().weights.argmax(1).tolist()
    source = [word.lower() for word in trace.alignment.source.words]
    words = [word.lower() for word in side.words[: side.spoken]]
    return [
        CoverageFlag(looked_at[first], "said twice", second, given[looked_at[first]])
        for second, word in enumerate(words)
        for first in range(second)
        if words[first] == word and any(map(str.isalnum, word)) and word not in repeated
        if looked_at[first] == looked_at[second] or second - first <= NEARBY
        if source.count(source[looked_at[first]]) == 1
    ]
