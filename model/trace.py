"""Trace: every number of one translation, kept as a value.

A trace is what the network computed, copied once and never changed: screens and figures read it,
`regard.model.reference.recompute` recomputes it from the weights file, `regard.model.archive` keeps it on disk. This
module needs NumPy only.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.input_error import InputError

STOPS = ("end", "limit", "forced")  # `</s>` was produced; the limit was reached; the target was given


@dataclass(frozen=True)
class Maker:
    """Which model made a trace."""

    name: str
    fingerprint: str  # SHA-256 of its files
    score: str
    wiring: str
    cell: str
    gates: tuple[str, ...]  # names of the G gates, in order


@dataclass(frozen=True, eq=False)
class TraceOutput:
    """What was read and written, and how likely: the part of a trace that no kind of network differs in."""

    maker: Maker
    source: Sentence
    target: Sentence
    stop: str
    source_ids: Int[ndarray, " S"]
    target_ids: Int[ndarray, " T"]
    logits: Float[ndarray, " T"]
    log_normaliser: Float[ndarray, " T"]
    top_ids: Int[ndarray, "T K"]
    top_tokens: tuple[tuple[str, ...], ...]
    top_logits: Float[ndarray, "T K"]
    intervention: Intervention

    def shared(self, weights: Float[ndarray, "T S"]) -> dict[str, Any]:
        """The fields of `AnyTrace`, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        alignment = Alignment(values.pop("source"), values.pop("target"), weights)
        return {"alignment": alignment, **values}


class AnyTrace(ABC):
    """What the traces of all networks have. Arrays are read-only; logarithms are natural.

    `log_normaliser` is log Σ exp(logit), so a probability is exp(logit − log_normaliser).
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    maker: Maker
    alignment: Alignment
    stop: str
    source_ids: Int[ndarray, " S"]
    target_ids: Int[ndarray, " T"]
    logits: Float[ndarray, " T"]  # of the target tokens
    log_normaliser: Float[ndarray, " T"]
    top_ids: Int[ndarray, "T K"]  # likeliest next tokens, best first
    top_tokens: tuple[tuple[str, ...], ...]
    top_logits: Float[ndarray, "T K"]
    attentional: Float[ndarray, "T A"]  # what the output layer reads
    intervention: Intervention

    def __post_init__(self) -> None:
        if self.stop not in STOPS:
            raise InputError(f"stop is {self.stop!r}; it must be one of {', '.join(STOPS)}")
        for array in self.arrays():
            array.setflags(write=False)

    def arrays(self) -> list[ndarray]:
        """All of them."""
        values = [getattr(self, field.name) for field in fields(self)]
        return [self.alignment.weights, *(value for value in values if isinstance(value, ndarray))]

    def __repr__(self) -> str:
        sides = f"{self.alignment.source.text!r} → {self.text!r}"
        return f"<{type(self).__name__} {sides}, steps: {len(self.target)}, model: {self.maker.name}>"

    @property
    def source(self) -> tuple[str, ...]:
        return self.alignment.source.tokens

    @property
    def target(self) -> tuple[str, ...]:
        return self.alignment.target.tokens

    @property
    def weights(self) -> Float[ndarray, "T S"]:
        return self.alignment.weights

    @property
    def reach(self) -> Bool[ndarray, "T S"]:
        """Where a step may look: everywhere but where a person masked the source."""
        return np.broadcast_to(self.intervention.open(np.ones(len(self.source), dtype=bool)), self.weights.shape)

    @property
    def weight_scores(self) -> Float[ndarray, "T S"]:
        """Numbers whose softmax over what may be looked at gives the weights."""
        return np.log(np.maximum(self.weights, np.finfo(self.weights.dtype).tiny))

    @property
    @abstractmethod
    def decoder_states(self) -> Float[ndarray, "T D"]:
        """What each step asks the source with, or did where several layers ask: in the last."""

    @property
    @abstractmethod
    def attention_output(self) -> Float[ndarray, "T E"]:
        """What attention gives each step of the source: its context, or where several layers ask that of the last."""

    @property
    def text(self) -> str:
        """The translation."""
        return self.alignment.target.text

    @property
    def log_probabilities(self) -> Float[ndarray, " T"]:
        """Of the target tokens, each given those before it."""
        return self.logits - self.log_normaliser

    @property
    def log_probability(self) -> float:
        """Of the whole target."""
        return float(self.log_probabilities.sum(dtype=np.float64))

    @property
    def mean_probability(self) -> float:
        """Of a target token: the geometric mean, e^(log-probability / T)."""
        return float(np.exp(self.log_probability / len(self.target_ids)))

    @property
    def top_probabilities(self) -> Float[ndarray, "T K"]:
        return np.exp(self.top_logits - self.log_normaliser[:, None])

    @property
    def rest(self) -> Float[ndarray, " T"]:
        """Probability of all tokens that are not among the likeliest."""
        return np.maximum(0, 1 - self.top_probabilities.sum(1))

    def _repr_html_(self) -> str:
        """What a notebook shows of it: the stepper in a frame of its own, without a server."""
        # Nothing of `app` may be needed to compute, keep or read a trace. A notebook alone calls this, and looking at a
        # trace is what `app` is for; imported here, it is loaded by those who look and by no one else.
        from regard.app.export.page import frame

        return frame([self])


@dataclass(frozen=True, eq=False, repr=False)
class Trace(AnyTrace):
    """Of a recurrent network: one row per decoder step; step t produced target token t from the one before it.

    `own_scores` are the model's; `scores` are those after a person's changes, and equal where nothing was changed. Both
    are finite; `mask` is true where a position may be looked at, and `weights` are exactly 0 elsewhere.
    """

    maker: Maker
    alignment: Alignment
    stop: str
    source_ids: Int[ndarray, " S"]
    target_ids: Int[ndarray, " T"]
    annotations: Float[ndarray, "S E"]
    initial_state: Float[ndarray, " H"]
    initial_cell: Float[ndarray, " C"]
    gates: Float[ndarray, "T G H"]
    states: Float[ndarray, "T H"]
    cells: Float[ndarray, "T C"]
    own_scores: Float[ndarray, "T S"]
    scores: Float[ndarray, "T S"]
    mask: Bool[ndarray, "T S"]
    contexts: Float[ndarray, "T E"]
    attentional: Float[ndarray, "T A"]
    logits: Float[ndarray, " T"]  # of the target tokens
    log_normaliser: Float[ndarray, " T"]
    top_ids: Int[ndarray, "T K"]  # likeliest next tokens, best first
    top_tokens: tuple[tuple[str, ...], ...]
    top_logits: Float[ndarray, "T K"]
    intervention: Intervention = UNTOUCHED  # what a person changed

    @property
    def reach(self) -> Bool[ndarray, "T S"]:
        return self.mask

    @property
    def weight_scores(self) -> Float[ndarray, "T S"]:
        return self.scores

    @property
    def decoder_states(self) -> Float[ndarray, "T H"]:
        return self.states

    @property
    def attention_output(self) -> Float[ndarray, "T E"]:
        return self.contexts
