"""Attention: scores become weights, weights make a context.  Luong et al. (2015), section 3.1 and equation 7.

    α_t = softmax((e_t + bonus) / temperature)      c_t = Σ_i α_ti h_i

Masked positions weigh exactly 0 and their scores stay finite.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class HeadChange(NamedTuple):
    """Weights that a person gives one head of a Transformer; zeros switch it off."""

    attention: str  # "encoder", "decoder" or "cross"
    layer: int
    head: int
    weights: Float[Tensor, "#T #S"]  # used in place of the softmax...
    replaced: Bool[Tensor, "#T 1"]  # ...where this is true

    def applied(self, weights: Float[Tensor, "B N T S"]) -> Float[Tensor, "B N T S"]:
        """The weights of all heads, with those of this one replaced."""
        own = torch.arange(weights.shape[1])[:, None, None] == self.head
        return torch.where(own & self.replaced, self.weights.to(weights.dtype), weights)


@dataclass(frozen=True, eq=False)
class Steering:
    """What a person changes in one attention step; `Steering.none()` changes nothing, bit for bit.

    Rows may be one for all hypotheses (B = 1) or one each.
    """

    bonus: Float[Tensor, "#B #S"]  # added to the scores
    temperature: Float[Tensor, "#B 1"]  # divides them, above 0
    hidden: Bool[Tensor, "#B #S"]  # positions masked beside the padding
    weights: Float[Tensor, "#B #S"]  # used in place of the softmax...
    replaced: Bool[Tensor, "#B 1"]  # ...where this is true
    heads: tuple[HeadChange, ...] = ()  # of a Transformer, where what stands above holds for all heads alike

    @staticmethod
    def none() -> "Steering":
        no, zero = torch.zeros(1, 1, dtype=torch.bool), torch.zeros(1, 1)
        return Steering(zero, torch.ones(1, 1), no, zero, no)

    @staticmethod
    def to(weights: Float[Tensor, "B S"]) -> "Steering":
        """These weights in place of the softmax."""
        none = Steering.none()
        return Steering(none.bonus, none.temperature, none.hidden, weights, torch.ones(1, 1, dtype=torch.bool))


NO_STEERING = Steering.none()


def weigh(scores: Float[Tensor, "B T S"], mask: Bool[Tensor, "B #T S"]) -> Float[Tensor, "B T S"]:
    """The softmax of the scores over the positions that the mask lets through."""
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)


def steer(
    scores: Float[Tensor, "B S"], mask: Bool[Tensor, "B S"], steering: Steering
) -> tuple[Float[Tensor, "B S"], Bool[Tensor, "B S"], Float[Tensor, "B S"]]:
    """Scores, mask and weights of one step after a person's changes."""
    if steering is NO_STEERING:
        return scores, mask, weigh(scores.unsqueeze(1), mask.unsqueeze(1)).squeeze(1)
    scores = (scores + steering.bonus) / steering.temperature
    mask = mask & ~steering.hidden
    weights = weigh(scores.unsqueeze(1), mask.unsqueeze(1)).squeeze(1)
    return scores, mask, torch.where(steering.replaced, steering.weights, weights)


def contexts(weights: Float[Tensor, "B T S"], annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B T E"]:
    return weights @ annotations
