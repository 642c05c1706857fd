"""Gradient descent on the scores of one step, so that the weights they make say a wanted token.

With weights α = softmax(z) over the positions that may be looked at, the model's own weights a, the wanted token y and
a penalty λ,

    J(α) = −log p(y | α) + λ KL(α ‖ a)      KL(α ‖ a) = Σ_i α_i log(α_i / a_i)

    ∂J/∂z_i = α_i (∂J/∂α_i − Σ_k α_k ∂J/∂α_k)

A step down leaves the factor α_i out, so that a position with hardly any weight can gain some and one that should have
none comes close to it. The steepest slope of a row counts as 1, the others in proportion, and Adam (Kingma and Ba 2015)
makes steps of them.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from regard.model.attention import weigh
from regard.model.autoregression import Prefixes
from regard.model.checkpoint import AnyModel
from regard.model.replay import retake, standing
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace

ITERATIONS = 60
RATE = 0.5  # how far a score moves at the first iteration; less and less at those after it
SMOOTHING = (0.8, 0.8)  # Adam's, of a slope and of its square: a short memory, for so few iterations
FLAT = 1e-3  # slopes about as small as that, or smaller, count as none
AHEAD, BEHIND = 0.01, 100.0  # logits by which a token is to be first, and what each that is missing counts in nats


class Aim(NamedTuple):
    """What is wanted of which step."""

    model: AnyModel
    where: Prefixes  # one row
    own: Float[Tensor, " S"]  # log a; 0 where nothing may be looked at
    own_logits: Float[Tensor, " V"]  # what the step gives by itself
    token: int
    likeliest: int  # the token that the model's own weights find likeliest
    penalty: float

    @property
    def reach(self) -> Bool[Tensor, " S"]:
        """The positions that may be looked at."""
        return self.where.memory.mask[0]


class SearchedWeights(NamedTuple):
    """Weights, and what the step gives with them."""

    weights: Float[Tensor, "*N S"]
    objective: Float[Tensor, "*N"]  # J
    lead: Float[Tensor, "*N"]  # logit of the wanted token less the greatest of the others that can be written
    wanted: Float[Tensor, "*N"]  # log-probability of the wanted token
    likeliest: Float[Tensor, "*N"]  # and of the one that is likeliest with the model's own weights
    cost: Float[Tensor, "*N"]  # KL(α ‖ a)


class SmoothedSlopes(NamedTuple):
    """Adam's averages of the slopes so far, and of their squares.

    PyTorch's own optimizer would be the same, but the first of a process imports a second and 80 MB of other things.
    """

    slope: Float[Tensor, "N S"]
    square: Float[Tensor, "N S"]

    @staticmethod
    def none(like: Float[Tensor, "N S"]) -> "SmoothedSlopes":
        return SmoothedSlopes(torch.zeros_like(like), torch.zeros_like(like))

    def with_slope(self, slope: Float[Tensor, "N S"]) -> "SmoothedSlopes":
        first, second = SMOOTHING
        return SmoothedSlopes(self.slope.lerp(slope, 1 - first), second * self.square + (1 - second) * slope * slope)

    def step(self, count: int, rate: float) -> Float[Tensor, "N S"]:
        """How far down to go after so many slopes."""
        first, second = (1 - kept**count for kept in SMOOTHING)
        return rate / first * self.slope / (self.square.sqrt() / second**0.5 + FLAT)


Goal = Callable[[SearchedWeights], Float[Tensor, " N"]]  # what a descent makes small


def objective(tried: SearchedWeights) -> Float[Tensor, " N"]:
    return tried.objective


def first(tried: SearchedWeights) -> Float[Tensor, " N"]:
    """J, but above all that the wanted token stands before all others."""
    return tried.objective + BEHIND * (AHEAD - tried.lead).relu()


@torch.no_grad()  # not inference mode: gradients will flow through what it makes
def aim(model: AnyModel, trace: AnyTrace, step: int, token: int, penalty: float) -> Aim:
    """Raises InputError when another model made the trace."""
    where = standing(model, trace, [step])
    reach = where.memory.mask[0]
    own = torch.tensor(trace.weight_scores[step]).masked_fill(~reach, -torch.inf).log_softmax(0).masked_fill(~reach, 0)
    logits = model.network.logits(torch.tensor(trace.attentional[step]))
    return Aim(model, where, own, logits, token, int(logits[STOP:].argmax()) + STOP, penalty)


def measure(aim: Aim, weights: Float[Tensor, "N S"]) -> SearchedWeights:
    """What each row of weights gives; gradients flow from all of it to the weights."""
    logits = retake(aim.model, aim.where.repeated(len(weights)), weights)
    chances = logits.log_softmax(1)
    others = torch.cat([logits[:, STOP : aim.token], logits[:, aim.token + 1 :]], dim=1)
    lead = logits[:, aim.token] - others.amax(1)
    smallest = torch.finfo(weights.dtype).tiny
    cost = (weights * (weights.clamp_min(smallest).log() - aim.own)).sum(1)
    wanted = chances[:, aim.token]
    return SearchedWeights(weights, aim.penalty * cost - wanted, lead, wanted, chances[:, aim.likeliest], cost)


@torch.enable_grad()
def slopes(aim: Aim, weights: Float[Tensor, "N S"], goal: Goal) -> tuple[SearchedWeights, Float[Tensor, "N S"]]:
    """What the weights give, and the gradient of the goal on the scores, each number divided by its weight."""
    weights = weights.detach().requires_grad_()
    tried = measure(aim, weights)
    (slope,) = torch.autograd.grad(goal(tried).sum(), weights)
    level = (weights.detach() * slope).sum(1, keepdim=True)
    return SearchedWeights(*(part.detach() for part in tried)), (slope - level) * aim.reach


def descend(aim: Aim, scores: Float[Tensor, "N S"], goal: Goal) -> SearchedWeights:
    """What every iteration tried, the rows of scores side by side: each part has the shape I × N, the weights × S."""
    scores, smoothed, path = scores.clone(), SmoothedSlopes.none(scores), []
    for iteration in range(ITERATIONS):
        tried, slope = slopes(aim, weigh(scores[None], aim.reach[None, None])[0], goal)
        smoothed = smoothed.with_slope(slope / (slope.abs().amax(1, keepdim=True) + FLAT))
        scores = scores - smoothed.step(iteration + 1, RATE * (1 - iteration / ITERATIONS))
        path.append(tried)
    return SearchedWeights(*(torch.stack(parts) for parts in zip(*path, strict=True)))
