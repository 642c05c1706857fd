"""Encoder-decoder network: what decoding, training and measuring ask of one, recurrent or not.

`encode` a source, `start`, then `step` from token to token; `logits` gives the distribution over the next one. A batch
has a row for each sentence or hypothesis.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.model.attention import NO_STEERING, HeadChange, Steering
from regard.model.tokenizer import START
from regard.model.trace import AnyTrace, TraceOutput

TraceT = TypeVar("TraceT", bound=AnyTrace, covariant=True)


@runtime_checkable
class AnyMemory(Protocol):
    """A source sentence as a decoder sees it."""

    @property
    def mask(self) -> Bool[Tensor, "B S"]:
        """True where the decoder may look."""
        ...

    def repeated(self, rows: int) -> "AnyMemory":
        """One sentence, as often as that."""
        ...


@runtime_checkable
class AnyCarried(Protocol):
    """What a decoder takes from one step to the next."""

    def repeated(self, rows: int) -> "AnyCarried":
        """One row, as often as that."""
        ...

    def take(self, rows: Int[Tensor, " N"]) -> "AnyCarried":
        """Some of the rows, in that order."""
        ...


@runtime_checkable
class AnyStep(Protocol):
    """What one decoder step comes to."""

    @property
    def weights(self) -> Float[Tensor, "B S"]:
        """Of the source tokens; what stands for them where there are several heads."""
        ...

    @property
    def attentional(self) -> Float[Tensor, "B A"]:
        """The vector that the output layer reads."""
        ...

    @property
    def carried(self) -> Any:
        """`AnyCarried` of the same network."""
        ...


class Network(nn.Module, ABC, Generic[TraceT]):
    """Each network has its own memory, carried values and steps; what one method gives, the others take."""

    config: Any  # an `AnyConfig`

    @abstractmethod
    def encode(self, source: Int[Tensor, "B S"]) -> AnyMemory:
        """Read padded ids, each sentence ending with `</s>`."""

    def read(self, source: Int[Tensor, "B S"], changes: tuple[HeadChange, ...]) -> AnyMemory:
        """The same with what a person changes in heads of the encoder; here it has none."""
        return self.encode(source)

    def heads(self) -> Mapping[str, tuple[int, int]]:
        """Layers, and heads of each, by attention; here there is one attention without heads."""
        return {}

    @abstractmethod
    def start(self, memory: Any) -> AnyCarried:
        """What the decoder knows before its first step."""

    @abstractmethod
    def step(self, tokens: Int[Tensor, " B"], carried: Any, memory: Any, steering: Steering = NO_STEERING) -> AnyStep:
        """Feed one token to each hypothesis."""

    @abstractmethod
    def source_embeddings(self, source: Int[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        """What the encoder is given of the source ids..."""

    @abstractmethod
    def encode_embeddings(self, embeddings: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]) -> AnyMemory:
        """...and `encode` from there, so that one can ask how a translation depends on them."""

    @abstractmethod
    def vectors(self, fed: Int[Tensor, "B T"], memory: Any) -> Float[Tensor, "B T A"]:
        """What the output layer reads at every step, all tokens that are fed being given at once."""

    @abstractmethod
    def resumed(self, trace: Any, steps: Sequence[int]) -> tuple[AnyCarried, AnyMemory]:
        """What stood before some steps of a trace of this network, counted from 0: a row for each, to `step` from."""

    @abstractmethod
    def reweighed(self, trace: Any, weights: Float[Tensor, "T S"]) -> Float[Tensor, "T V"]:
        """The logits that each step of a trace would give with these weights in place of its own, in all of its heads.

        Everything before a step stays as it was. The trace is one of this network.
        """

    @abstractmethod
    def logits(self, attentional: Float[Tensor, "*B A"]) -> Float[Tensor, "*B V"]: ...

    @abstractmethod
    def forward(self, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"]) -> Float[Tensor, "N V"]:
        """Logits of the N target tokens that are no padding, each given those before it (teacher forcing)."""

    @abstractmethod
    def traces(self, outputs: Sequence[TraceOutput], memory: Any, start: Any, steps: Sequence[Any]) -> list[TraceT]:
        """What was computed in a batch, cut into its sentences: of each the output is given."""

    @abstractmethod
    def choices(self) -> tuple[str, str, str, tuple[str, ...]]:
        """Score, wiring, cell and the names of its gates, as `regard.model.trace.Maker` tells them."""


AnyNetwork = Network[AnyTrace]


def fed_tokens(trace: AnyTrace) -> Int[Tensor, " T"]:
    """The token fed in at each step of a trace."""
    return torch.tensor([START, *trace.target_ids[:-1].tolist()])
