"""Chance that a translation is acceptable, estimated from its trace by logistic regression over a few features.

The features are those of quality estimation without a reference (after Fomicheva et al. 2020): token probabilities and
the spread of attention. `pretrained/recipe/doubt.py` fits their weights for one model and writes `doubt.json` beside
it; reading it and computing the chance need NumPy only.

*Coverage* is the attention that each source word gets over a whole translation, Σ_t α_ti (after Tu et al. 2016). Two
problems are flagged. A source word is *left out* if hardly any attention to it led to a likely token:

    credit_i = Σ_t α_ti p(y_t) / max_y p(y)

In greedy decoding each factor p(y_t) / max_y p(y) is 1, and the credit is the coverage. In a given translation it may
be less: the decoder attends to a word because it is about to write it, and the given text may continue differently.
Words that the model usually passes over (`to`, `do`) are never flagged. A source word is *said twice* if a target word
occurs twice for it that rarely occurs twice in a sentence.
"""

import json
import logging
import math
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from pydantic import Field, ValidationError

from regard.model.files import write_file
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace
from regard.model.values import reader

DOUBT = "doubt.json"
FARTHEST = 10**6  # largest accepted magnitude of a number in a fit
_log = logging.getLogger("uvicorn.error")
LEAST = 0.15  # credit below which a word counts as left out; chosen on the validation part of the text
NEARBY = 2  # words between which a repetition counts even if its two rows are heaviest on different source words


class CoverageFlag(NamedTuple):
    """A source word that seems left out, or a target word that seems to say one source word twice."""

    source: int
    kind: Literal["left out", "said twice"]
    target: int  # the second of the two target words; −1 if the source word is left out
    credit: float  # of the source word


def sigmoid(values: Float[ndarray, " N"]) -> Float[ndarray, " N"]:
    """Return 1 / (1 + e^−x)."""
    return 0.5 * (1 + np.tanh(0.5 * values))


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
    credits, looked_at = credit(trace).tolist(), trace.alignment.by_words().weights.argmax(1).tolist()
    sides = trace.alignment.source, trace.alignment.target
    source, target = ([word.lower() for word in side.words] for side in sides)
    left_out = {
        CoverageFlag(place, "left out", -1, credits[place])
        for place, word in enumerate(source[: sides[0].spoken])
        if credits[place] < LEAST and any(map(str.isalnum, word)) and word not in passed_over
    }
    said_twice = {
        CoverageFlag(looked_at[first], "said twice", second, credits[looked_at[first]])
        for second, word in enumerate(target[: sides[1].spoken])
        for first in range(second)
        if target[first] == word and any(map(str.isalnum, word)) and word not in repeated
        if looked_at[first] == looked_at[second] or second - first <= NEARBY
        if source.count(source[looked_at[first]]) == 1
    }
    return tuple(sorted(left_out | said_twice))


def _spoken(trace: AnyTrace) -> Float[ndarray, " C"]:
    """Return the coverage of the source words without `</s>`, or of all if there is nothing else."""
    covered = coverage(trace)
    return covered[: trace.alignment.source.spoken or len(covered)]


FEATURES: dict[str, Callable[[AnyTrace], float]] = {
    "doubt of the mean": lambda trace: math.log(0.001 - trace.log_probability / len(trace.target_ids)),
    "doubt of the weakest": lambda trace: math.log1p(-float(trace.log_probabilities.min())),
    "length": lambda trace: math.log(len(trace.target_ids)),
    "least coverage": lambda trace: float(_spoken(trace).min()),
    "most coverage": lambda trace: float(_spoken(trace).max()),
    "entropy of the weights": lambda trace: float(trace.entropy.mean()),
    "pieces": lambda trace: math.log(len(trace.source_ids) / len(trace.alignment.source.words)),
}


def features(trace: AnyTrace) -> Float[ndarray, " K"]:
    """Return a trace's features, in the order of `FEATURES`."""
    return np.array([feature(trace) for feature in FEATURES.values()])


Number = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]


class Fitted(NamedTuple):
    """A feature's mean and deviation in the fitted text, and its weight in the sum."""

    mean: Number
    deviation: Annotated[float, Field(ge=1 / FARTHEST, le=FARTHEST)]
    weight: Number


@dataclass(frozen=True)
class Doubt:
    """A fit for the model with this fingerprint, and the words that are never flagged."""

    model: str
    intercept: Number
    features: Mapping[str, Fitted]
    passed_over: frozenset[str]  # lower-case source words that the model often passes over
    repeated: frozenset[str]  # lower-case target words that often occur twice in a sentence

    def __post_init__(self) -> None:
        if not self.features.keys() <= FEATURES.keys():
            raise InputError(f"the features must be some of {', '.join(FEATURES)}")

    def of(self, trace: AnyTrace) -> float:
        """Return the chance that this translation is acceptable, from 0 to 1."""
        return float(self.chances(features(trace)[None])[0])

    def chances(self, rows: Float[ndarray, "N K"]) -> Float[ndarray, " N"]:
        """Return the chance for each row of features, which are in the order of `FEATURES`."""
        fitted = [self.features.get(name, Fitted(0, 1, 0)) for name in FEATURES]
        means, deviations, weights = np.array(fitted).T
        return sigmoid(self.intercept + (rows - means) / deviations @ weights)

    def flags(self, trace: AnyTrace) -> tuple[CoverageFlag, ...]:
        """Return the source words that seem left out or said twice; none without attention."""
        return () if trace.maker.score == "none" else flags(trace, self.passed_over, self.repeated)

    def as_data(self) -> dict[str, Any]:
        """Return the fit as values for JSON."""
        features = {name: fitted._asdict() for name, fitted in self.features.items()}
        words = {"passed_over": sorted(self.passed_over), "repeated": sorted(self.repeated)}
        return {"model": self.model, "intercept": self.intercept, "features": features, **words}


def weakest(trace: AnyTrace) -> int:
    """Return the target word with the least probable token, ignoring `</s>`; −1 if there is no other token."""
    side = trace.alignment.target
    tokens = [token for token, word in enumerate(side.word_of) if word < side.spoken]
    return side.word_of[min(tokens, key=trace.log_probabilities.__getitem__)] if tokens else -1


def save(doubt: Doubt, folder: Path) -> None:
    """Write `doubt.json` beside the weights."""
    write_file(folder / DOUBT, json.dumps(doubt.as_data(), indent=1, ensure_ascii=False) + "\n")


def load(folder: Path, fingerprint: str) -> Doubt | None:
    """Read the fit beside a model; None if it is missing, broken or for other weights. A model translates without it,
    so errors in the file are only logged."""
    path = folder / DOUBT
    if not path.is_file():
        return None
    try:
        doubt = parse(path.read_bytes())
        if doubt.model != fingerprint:
            raise InputError(f"it was fitted for the model with the hash {doubt.model}, and this one has {fingerprint}")
        return doubt
    except (OSError, InputError) as error:
        _log.warning("%s is left out: %s", path, error)
        return None


def parse(content: bytes) -> Doubt:
    """Read the contents of a `doubt.json`. Raises InputError for anything else."""
    try:
        return reader(Doubt).validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"it does not contain a valid fit ({place}: {first['msg']})") from error
