"""Trace: every number of one translation, kept as a value.

A trace is what the network computed, copied once and never changed: screens and figures read it,
`regard.model.reference.recompute` recomputes it from the weights file, `regard.model.archive` keeps it on disk. This
module loads without PyTorch.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, SupportsIndex, TypeVar, overload

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.alignment import AlignedTokens, Alignment, Sentence
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.files import as_format, save_trace
from regard.model.input_error import check_choice
from regard.model.principal_axes import ModelAxes
from regard.model.unknown_words import Replacement, carried_over, note, with_carried
from regard.model.values import ReadOnly

ShownT = TypeVar("ShownT", bound="AnyTrace")
STOPS = ("end", "limit", "forced")  # `</s>` was produced; the limit was reached; the target was given


@dataclass(frozen=True)
class Maker:
    """The model that made a trace."""

    name: str
    fingerprint: str  # SHA-256 of its files
    score: str
    wiring: str
    cell: str
    gates: tuple[str, ...]  # names of the G gates, in order
    input_feeding: bool = False  # the attentional vector is read at the next step
    axes: ModelAxes = field(default_factory=dict, compare=False, repr=False)  # axes of its vectors, if measured
    vocabulary: int = field(default=0, compare=False, repr=False)  # number of its tokens; 0 in a trace that was read

    def told(self) -> dict[str, Any]:
        """Return all fields that describe the model, by name."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.compare}


def entropy(weights: Float[ndarray, "T S"]) -> Float[ndarray, " T"]:
    """Return −Σ α log₂ α of each row of weights, in bits (Shannon 1948); a weight of 0 adds nothing."""
    exact = weights.astype(np.float64)
    return 0 - (exact * np.log2(np.where(exact > 0, exact, 1))).sum(1)  # never −0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class OutputNumbers:
    """Output and probabilities of one translation. Arrays are read-only; logarithms are natural. `log_normaliser` is
    log Σ exp(logit), so a probability is exp(logit − log_normaliser)."""

    maker: Maker
    stop: str
    source_ids: Int[ndarray, " S"]
    target_ids: Int[ndarray, " T"]
    logits: Float[ndarray, " T"]  # of the target tokens
    log_normaliser: Float[ndarray, " T"]
    top_ids: Int[ndarray, "T K"]  # likeliest next tokens, best first
    top_tokens: tuple[tuple[str, ...], ...]
    top_logits: Float[ndarray, "T K"]
    intervention: Intervention = UNTOUCHED  # a person's changes


@dataclass(frozen=True, eq=False, kw_only=True)
class TraceOutput(OutputNumbers):
    """Both sentences and the output, before the attention between them is known."""

    read: Sentence
    written: Sentence

    def shared(self, weights: Float[ndarray, "T S"]) -> dict[str, Any]:
        """Return the fields of every trace but `attentional`, by name."""
        shared = {field.name: getattr(self, field.name) for field in fields(OutputNumbers)}
        return {"alignment": Alignment(self.read, self.written, weights), **shared}


class TranslatedTokens(AlignedTokens):
    """The tokens of both sides, and the text with unknown words carried over from the source."""

    maker: Maker
    stop: str

    @property
    def carried(self) -> tuple[Replacement, ...]:
        """The source words carried over (`regard.model.unknown_words`); none without attention or if it was given."""
        return carried_over(self.alignment) if self._attends and self.stop != "forced" else ()

    @property
    def carried_note(self) -> str:
        """A sentence on what was carried over, or could not be without attention, or ""."""
        return "" if self.stop == "forced" else note(self.alignment, self.carried, self._attends)

    @property
    def _attends(self) -> bool:
        return self.maker.score != "none"

    @property
    def text(self) -> str:
        """The translation, with unknown words carried over; `alignment.target.text` is what the decoder wrote."""
        return with_carried(self.alignment.target.text, self.carried)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AnyTrace(OutputNumbers, ReadOnly, TranslatedTokens, ABC):
    """The fields common to the traces of all networks. `FORMAT` is the version of a kind's archive."""

    FORMAT: ClassVar[int]
    TEXT: ClassVar = ("maker", "alignment", "stop", "top_tokens", "intervention")  # fields that are not arrays
    alignment: Alignment
    attentional: Float[ndarray, "T A"]  # the input of the output layer

    def __post_init__(self) -> None:
        check_choice("stop", self.stop, STOPS)
        for array in self.arrays():
            array.setflags(write=False)

    @classmethod
    @cache
    def array_types(cls) -> dict[str, Any]:
        """Return the type of every array by its name, which in a group of arrays is `group.name`."""
        kept = {field.name: field.type for field in fields(cls) if field.name not in cls.TEXT}
        groups = {name: kind for name, kind in kept.items() if is_dataclass(kind)}
        grouped = {f"{group}.{field.name}": field.type for group, kind in groups.items() for field in fields(kind)}
        alone = {name: kind for name, kind in kept.items() if name not in groups}
        return {"weights": Float[ndarray, "T S"], **alone, **grouped}

    def arrays(self) -> list[ndarray]:
        """Return every array of the trace, in the order of `array_types`."""
        return [attrgetter(name)(self) for name in self.array_types()]

    def __repr__(self) -> str:
        sides = f"{self.alignment.source.text!r} → {self.text!r}"
        return f"<{type(self).__name__} {sides}, steps: {len(self.target)}, model: {self.maker.name}>"

    @property
    def weights(self) -> Float[ndarray, "T S"]:
        return self.alignment.weights

    @property
    def entropy(self) -> Float[ndarray, " T"]:
        """The entropy of each step's weights in bits: 0 where one token has everything."""
        return entropy(self.weights)

    @property
    def reach(self) -> Bool[ndarray, "T S"]:
        """The positions each step may attend to: all but those a person masked."""
        return np.broadcast_to(self.intervention.open(np.ones(len(self.source), dtype=bool)), self.weights.shape)

    @property
    def weight_scores(self) -> Float[ndarray, "T S"]:
        """Numbers whose softmax over the reachable positions gives the weights, where a row of weights sums to 1: a
        Transformer whose heads are all off has rows of zeros."""
        return np.log(np.maximum(self.weights, np.finfo(self.weights.dtype).tiny))

    @property
    @abstractmethod
    def decoder_states(self) -> Float[ndarray, "T D"]:
        """The vector each step queries the source with; if several layers do, that of the last."""

    @property
    @abstractmethod
    def attention_output(self) -> Float[ndarray, "T E"]:
        """The output of attention at each step: its context, or that of the last layer if several attend."""

    @property
    def log_probabilities(self) -> Float[ndarray, " T"]:
        """The log-probability of each target token given those before it."""
        return self.logits - self.log_normaliser

    @property
    def log_probability(self) -> float:
        """The log-probability of the whole target."""
        return float(self.log_probabilities.sum(dtype=np.float64))

    @property
    def mean_probability(self) -> float:
        """The geometric mean of the target tokens' probabilities, e^(log-probability / T)."""
        return float(np.exp(self.log_probability / len(self.target_ids)))

    @property
    def top_probabilities(self) -> Float[ndarray, "T K"]:
        return np.exp(self.top_logits - self.log_normaliser[:, None])

    @property
    def rest(self) -> Float[ndarray, " T"]:
        """The total probability of all tokens outside the likeliest."""
        return np.maximum(0, 1 - self.top_probabilities.sum(1))

    def to_json(self) -> str:
        """Return every number as JSON with nested lists."""
        return as_format("json", self)

    def to_npz(self) -> bytes:
        """Return every array in NumPy's format, exact to the bit."""
        return as_format("npz", self)

    def to_html(self) -> str:
        """Return a page that steps through the translation offline."""
        return as_format("html", [self])

    def plot(self) -> Any:
        """Return the weights between words as a Plotly figure."""
        return as_format("figure", self)

    def save(self, path: Path | str) -> None:
        """Write the trace to a file that ends in .json, .npz or .html. Raises InputError for another ending."""
        save_trace(self, path)

    def _repr_html_(self) -> str:
        """Show the trace in a notebook: the stepper in a frame of its own, without a server."""
        return as_format("frames", [self])


@dataclass(frozen=True, eq=False, repr=False)
class Trace(AnyTrace):
    """The trace of a recurrent network, a row per decoder step; step t produced target token t from the one before it.

    `own_scores` are the model's; `scores` are those after a person's changes, equal if nothing was changed. Both are
    finite; `mask` is true where the decoder may attend, and `weights` are exactly 0 elsewhere.
    """

    FORMAT: ClassVar = 2
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
    embeddings: Float[ndarray, "S D"]  # of the source tokens; no components in archives written before 0.7
    fed_embeddings: Float[ndarray, "T D"]  # of the token fed in at each step

    @property
    def reach(self) -> Bool[ndarray, "T S"]:
        return self.mask

    @property
    def weight_scores(self) -> Float[ndarray, "T S"]:
        """The scores; their softmax gives the weights except in steps whose weights a person set."""
        return self.scores

    @property
    def decoder_states(self) -> Float[ndarray, "T H"]:
        return self.states

    @property
    def initial_attentional(self) -> Float[ndarray, " D"]:
        """The zeros that input feeding gives the first step."""
        return np.zeros_like(self.attentional[0])

    @property
    def attention_output(self) -> Float[ndarray, "T E"]:
        return self.contexts


@dataclass(frozen=True, eq=False, repr=False)
class WeightTrace(ReadOnly, TranslatedTokens):
    """The part of a trace that is kept when there are many. Arrays are read-only; logarithms are natural."""

    maker: Maker
    alignment: Alignment
    stop: str  # "end", "limit" or "forced", as in a trace
    log_probabilities: Float[ndarray, " T"]  # of the target tokens, each given those before it

    @classmethod
    def of(cls, trace: AnyTrace) -> "WeightTrace":
        """Extract the weight trace from a whole trace; its maker has no axes, which are of vectors."""
        return cls(replace(trace.maker, axes={}), trace.alignment, trace.stop, trace.log_probabilities)

    def __repr__(self) -> str:
        return f"<WeightTrace {self.alignment.source.text!r} → {self.text!r}, model: {self.maker.name}>"

    @property
    def weights(self) -> Float[ndarray, "T S"]:
        """A row for each target token, a column for each source token; rows sum to 1, or to 0 if every head is off."""
        return self.alignment.weights


class TraceList(list[ShownT]):
    """Several traces, in order. A slice is a trace list too."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> ShownT: ...
    @overload
    def __getitem__(self, index: slice) -> "TraceList[ShownT]": ...
    def __getitem__(self, index: SupportsIndex | slice) -> "ShownT | TraceList[ShownT]":
        return TraceList(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def _repr_html_(self) -> str:
        """Show them in a notebook: one at a time, chosen by its sentence."""
        return as_format("frames", self)
