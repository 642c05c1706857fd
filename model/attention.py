"""Attention: scores become weights, weights make a context.  Luong et al. (2015), section 3.1 and equation 7.

    α_t = softmax((e_t + bonus) / temperature)      c_t = Σ_i α_ti h_i

Masked positions weigh exactly 0 and their scores stay finite.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

VectorPlace = str | tuple[str, int, int]  # a name in `VECTORS`, or a head: attention, layer, number
Vectors = Callable[[VectorPlace, Tensor], Tensor]  # from a vector of a step to the one that takes its place


def unchanged(place: VectorPlace, vector: Tensor) -> Tensor:
    """Leave every vector of a step as it is."""
    return vector


class HeadChange(NamedTuple):
    """Weights that a person sets for one head of a Transformer; zeros switch it off."""

    attention: str  # "encoder", "decoder" or "cross"
    layer: int
    head: int
    weights: Float[Tensor, "#T #S"]  # replace the softmax...
    replaced: Bool[Tensor, "#T 1"]  # ...where this is true

    def applied(self, weights: Float[Tensor, "B N T S"]) -> Float[Tensor, "B N T S"]:
        """Return the weights of all heads, with those of this head replaced."""
        own = torch.arange(weights.shape[1], device=weights.device)[:, None, None] == self.head
        return torch.where(own & self.replaced.to(weights.device), self.weights.to(weights), weights)


@dataclass(frozen=True, eq=False)
class Steering:
    """A person's changes to one attention step; `Steering.none()` changes nothing, bit for bit. A row may be shared by
    all hypotheses (B = 1), or each may have its own."""

    OF_WEIGHTS: ClassVar = ("bonus", "temperature", "hidden", "weights", "replaced")  # fields that change weights
    bonus: Float[Tensor, "#B #S"]  # added to the scores
    temperature: Float[Tensor, "#B 1"]  # divides the scores; above 0
    hidden: Bool[Tensor, "#B #S"]  # positions masked in addition to the padding
    weights: Float[Tensor, "#B #S"]  # replace the softmax...
    replaced: Bool[Tensor, "#B 1"]  # ...where this is true
    heads: tuple[HeadChange, ...] = ()  # for a Transformer; the fields above apply to all heads alike
    vectors: Vectors = unchanged  # every vector of the step passes through it

    @staticmethod
    def none() -> "Steering":
        no, zero = torch.zeros(1, 1, dtype=torch.bool), torch.zeros(1, 1)
        return Steering(zero, torch.ones(1, 1), no, zero, no)

    @staticmethod
    def to(weights: Float[Tensor, "B S"]) -> "Steering":
        """Return a steering that replaces the softmax by these weights."""
        return replace(Steering.none(), weights=weights, replaced=torch.ones(1, 1, dtype=torch.bool))

    @property
    def leaves_weights(self) -> bool:
        """True for `NO_STEERING`, also with changed heads or vectors. Not by value: a bonus of 0 has a gradient."""
        return all(getattr(self, name) is getattr(NO_STEERING, name) for name in self.OF_WEIGHTS)

    def mixed(self, attention: str, layer: int, mixed: Float[Tensor, "B N T Q"]) -> Float[Tensor, "B N T Q"]:
        """Return the outputs z of one attention's heads after a person's changes; a step has one row (T = 1)."""
        if self.vectors is unchanged:
            return mixed
        heads = [self.vectors((attention, layer, head), vector) for head, vector in enumerate(mixed.unbind(1))]
        return torch.stack(heads, dim=1)


NO_STEERING = Steering.none()


def weigh(scores: Float[Tensor, "*N S"], mask: Bool[Tensor, "*#N S"]) -> Float[Tensor, "*N S"]:
    """Return the softmax of the scores over the positions that the mask allows."""
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)


def steer(
    scores: Float[Tensor, "*N S"], mask: Bool[Tensor, "*#N S"], steering: Steering
) -> tuple[Float[Tensor, "*N S"], Bool[Tensor, "*#N S"], Float[Tensor, "*N S"]]:
    """Return scores, mask and weights of one step after a person's changes, which are the same for all dimensions
    between the first and the last, such as the heads of a Transformer."""
    if steering.leaves_weights:
        return scores, mask, weigh(scores, mask)
    between = [1] * (scores.dim() - 2)
    bonus, temperature, hidden, given, replaced = (
        getattr(steering, name).to(scores.device).unflatten(0, (-1, *between)) for name in Steering.OF_WEIGHTS
    )
    scores, mask = (scores + bonus) / temperature, mask & ~hidden
    return scores, mask, torch.where(replaced, given, weigh(scores, mask))


def contexts(weights: Float[Tensor, "B T S"], annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B T E"]:
    return weights @ annotations
