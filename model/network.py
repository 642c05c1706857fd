"""Encoder-decoder network: the interface that decoding, training and evaluation use, recurrent or not.

`encode` a source, `start`, then `step` from token to token; `logits` gives the distribution over the next one. A batch
has a row per sentence or hypothesis.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.model.attention import NO_STEERING, HeadChange, Steering
from regard.model.tokenizer import PAD, START
from regard.model.trace import AnyTrace, TraceOutput

TraceT = TypeVar("TraceT", bound=AnyTrace, covariant=True)
PartsT = TypeVar("PartsT")  # nested tuples of tensors, such as a memory, with a row per sentence or hypothesis


@runtime_checkable
class AnyMemory(Protocol):
    """A decoder's view of a source sentence, as a tuple of tensors or of such tuples."""

    @property
    def annotations(self) -> Float[Tensor, "B S E"]: ...

    @property
    def mask(self) -> Bool[Tensor, "B S"]:
        """True where the decoder may look."""
        ...


@runtime_checkable
class AnyStep(Protocol):
    """The result of one decoder step."""

    @property
    def weights(self) -> Float[Tensor, "B S"]:
        """Weights of the source tokens; with several heads, the weights that represent them."""
        ...

    @property
    def attentional(self) -> Float[Tensor, "B A"]:
        """The vector that the output layer reads."""
        ...

    @property
    def carried(self) -> Any:
        """The values for the next step, as a tuple of tensors or of such tuples."""
        ...


class Network(nn.Module, ABC, Generic[TraceT]):
    """The base of all networks. Each has its own memory, carried values and steps, which its methods pass on."""

    config: Any  # an `AnyConfig`

    def encode(self, source: Int[Tensor, "B S"], changes: tuple[HeadChange, ...] = ()) -> Any:
        """Read padded ids, each sentence ending with `</s>`; `changes` are a person's, to heads of the encoder."""
        source = source.to(self.device)
        return self.encode_embeddings(self.source_embeddings(source), source != PAD, changes)

    @property
    def device(self) -> torch.device:
        """The device that computes; traces and other results are NumPy arrays on the CPU whatever it is."""
        return next(self.parameters()).device

    def heads(self) -> Mapping[str, tuple[int, int]]:
        """Return the number of layers and of heads in each, by attention; empty for a network without heads."""
        return {}

    @abstractmethod
    def vector_sizes(self) -> Mapping[str, int]:
        """Return the number of components of each vector that can be replaced, by its name in an `Intervention`."""

    @abstractmethod
    def annotated(self, memory: Any, annotations: Float[Tensor, "B S E"]) -> AnyMemory:
        """Return the memory with other annotations, and all that the decoder makes of them."""

    @abstractmethod
    def start(self, memory: Any) -> Any:
        """Return the decoder's values before its first step."""

    @abstractmethod
    def step(self, tokens: Int[Tensor, " B"], carried: Any, memory: Any, steering: Steering = NO_STEERING) -> AnyStep:
        """Feed one token to each hypothesis."""

    @abstractmethod
    def source_embeddings(self, source: Int[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        """Return the encoder's input vectors for the source ids."""

    @abstractmethod
    def encode_embeddings(
        self, embeddings: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], changes: tuple[HeadChange, ...] = ()
    ) -> AnyMemory:
        """Encode input vectors, so that gradients can be taken with respect to the embeddings."""

    @abstractmethod
    def vectors(self, fed: Int[Tensor, "B T"], memory: Any) -> Float[Tensor, "B T A"]:
        """Return the input of the output layer at every step, with all tokens fed at once."""

    @abstractmethod
    def resumed(self, trace: Any, steps: Sequence[int]) -> tuple[Any, AnyMemory]:
        """Return the values before the given steps (from 0) of a trace of this network, a row each, to `step` from."""

    @abstractmethod
    def reweighed(self, trace: Any, weights: Float[Tensor, "T S"]) -> Float[Tensor, "T V"]:
        """Return the logits of each step of a trace if these weights replaced its own, in all heads. Everything before
        a step stays as it was. The trace must be one of this network."""

    @abstractmethod
    def logits(self, attentional: Float[Tensor, "*B A"]) -> Float[Tensor, "*B V"]: ...

    def forward(self, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"]) -> Float[Tensor, "N V"]:
        """Return the logits of the N target tokens that are not padding, each given those before (teacher forcing)."""
        memory = self.encode(source)
        fed = torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], dim=1)
        return self.logits(self.vectors(fed, memory)[target != PAD])

    @abstractmethod
    def traces(self, outputs: Sequence[TraceOutput], memory: Any, start: Any, steps: Sequence[Any]) -> list[TraceT]:
        """Split the numbers of a batch into one trace per sentence; `outputs` has each sentence's source and output."""

    @abstractmethod
    def choices(self) -> tuple[str, str, str, tuple[str, ...]]:
        """Score, wiring, cell and names of the gates, as in `regard.model.trace.Maker`."""


AnyNetwork = Network[AnyTrace]


def fed_tokens(trace: AnyTrace) -> Int[Tensor, " T"]:
    """Return the token fed in at each step of a trace."""
    return torch.tensor([START, *trace.target_ids[:-1].tolist()])


def repeated(parts: PartsT, rows: int) -> PartsT:
    """Repeat a single row `rows` times."""
    return _changed(parts, lambda tensor: tensor.expand(rows, *tensor.shape[1:]))


def taken(parts: PartsT, rows: Int[Tensor, " N"]) -> PartsT:
    """Return the given rows, in the given order."""
    return _changed(parts, lambda tensor: tensor[rows])


def _changed(parts: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """Apply a change to every tensor of tuples within tuples; a value of another kind has no rows and is kept."""
    if isinstance(parts, tuple):
        make = getattr(type(parts), "_make", tuple)  # of a named tuple
        return make(_changed(part, change) for part in parts)
    return change(parts) if isinstance(parts, Tensor) else parts
