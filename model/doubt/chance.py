"""Chance that a translation is acceptable, estimated from its trace by logistic regression over a few features.

The features are those of quality estimation without a reference (after Fomicheva et al. 2020): token probabilities and
the spread of attention. `regard evaluate --calibrate` fits their weights for one model and writes `doubt.json` beside
it; reading it and computing the chance need NumPy only.
"""

import json
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.doubt.coverage import CoverageFlag, coverage, flags
from regard.model.doubt.logistic_regression import sigmoid
from regard.model.files import write_file
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace

DOUBT = "doubt.json"
FARTHEST = 10**6  # largest accepted magnitude of a number in a fit
_log = logging.getLogger("uvicorn.error")


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


class Fitted(NamedTuple):
    """A feature's mean and deviation in the fitted text, and its weight in the sum."""

    mean: float
    deviation: float
    weight: float


@dataclass(frozen=True)
class Doubt:
    """A fit for the model with this fingerprint, and the words that are never flagged."""

    model: str
    intercept: float
    features: Mapping[str, Fitted]
    passed_over: frozenset[str]  # lower-case source words that the model often passes over
    repeated: frozenset[str]  # lower-case target words that often occur twice in a sentence

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

    def spared(self, trace: AnyTrace) -> tuple[CoverageFlag, ...]:
        """Return the source words that would seem left out if the model did not often pass over them."""
        told, all_told = self.flags(trace), replace(self, passed_over=frozenset()).flags(trace)
        return tuple(flag for flag in all_told if flag not in told)

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
        given = json.loads(content)
        features = {
            str(name): Fitted(*(float(of[part]) for part in Fitted._fields)) for name, of in given["features"].items()
        }
        intercept = float(given["intercept"])
        words = (frozenset(map(str, given[name])) for name in ("passed_over", "repeated"))
        doubt = Doubt(str(given["model"]), intercept, features, *words)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise InputError(f"it does not contain a valid fit ({error})") from error
    numbers = [intercept, *(number for fitted in features.values() for number in fitted)]
    if not features.keys() <= FEATURES.keys() or not all(abs(number) <= FARTHEST for number in numbers):
        raise InputError(f"its features must be some of {', '.join(FEATURES)}, its numbers at most {FARTHEST:,}")
    if not all(fitted.deviation >= 1 / FARTHEST for fitted in features.values()):
        raise InputError(f"every deviation must be at least 1/{FARTHEST:,}")
    return doubt
