"""Gradient descent on the scores of one step, towards weights that produce a wanted token.

With weights α = softmax(z) over the reachable positions, the model's own weights a, the wanted token y and a penalty λ,

    J(α) = −log p(y | α) + λ KL(α ‖ a)      KL(α ‖ a) = Σ_i α_i log(α_i / a_i)

    ∂J/∂z_i = α_i (∂J/∂α_i − Σ_k α_k ∂J/∂α_k)

A descent step omits the factor α_i, so that a position with hardly any weight can gain some and one that should have
none gets close to it. The steepest slope of a row counts as 1, the others in proportion, and Adam (Kingma and Ba 2015)
turns them into steps.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from regard.model.attention import weigh
from regard.model.autoregression import Prefixes, retake, standing
from regard.model.checkpoint import AnyModel
from regard.model.network import repeated
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace

ITERATIONS = 60
RATE = 0.5  # the change of a score in the first iteration; it shrinks after that
SMOOTHING = (0.8, 0.8)  # Adam's β for slopes and for their squares: a short memory, because iterations are few
FLAT = 1e-3  # slopes of about this size or smaller count as none
AHEAD, BEHIND = 0.01, 100.0  # logit lead a token must have to be first, and the cost in nats of each missing logit


class Aim(NamedTuple):
    """The wanted token and the step that should produce it."""

    model: AnyModel
    where: Prefixes  # one row
    own: Float[Tensor, " S"]  # log a; 0 at unreachable positions
    own_logits: Float[Tensor, " V"]  # with the model's own weights
    token: int
    likeliest: int  # the token likeliest with the model's own weights
    penalty: float

    @property
    def reach(self) -> Bool[Tensor, " S"]:
        """The positions the step may attend to."""
        return self.where.memory.mask[0]


class SearchedWeights(NamedTuple):
    """Weights, and the step's output with them."""

    weights: Float[Tensor, "*N S"]
    objective: Float[Tensor, "*N"]  # J
    lead: Float[Tensor, "*N"]  # logit of the wanted token minus the greatest of the others that can be written
    wanted: Float[Tensor, "*N"]  # log-probability of the wanted token
    likeliest: Float[Tensor, "*N"]  # log-probability of the token that is likeliest with the model's own weights
    cost: Float[Tensor, "*N"]  # KL(α ‖ a)


class SmoothedSlopes(NamedTuple):
    """Adam's running averages of the slopes and of their squares. PyTorch's own optimizer would do the same, but using
    it once imports a second and 80 MB of other modules."""

    slope: Float[Tensor, "N S"]
    square: Float[Tensor, "N S"]

    @staticmethod
    def none(like: Float[Tensor, "N S"]) -> "SmoothedSlopes":
        return SmoothedSlopes(torch.zeros_like(like), torch.zeros_like(like))

    def with_slope(self, slope: Float[Tensor, "N S"]) -> "SmoothedSlopes":
        first, second = SMOOTHING
        return SmoothedSlopes(self.slope.lerp(slope, 1 - first), second * self.square + (1 - second) * slope * slope)

    def step(self, count: int, rate: float) -> Float[Tensor, "N S"]:
        """Return the descent step after `count` slopes."""
        first, second = (1 - kept**count for kept in SMOOTHING)
        return rate / first * self.slope / (self.square.sqrt() / second**0.5 + FLAT)


Goal = Callable[[SearchedWeights], Float[Tensor, " N"]]  # the quantity that a descent minimises


def objective(tried: SearchedWeights) -> Float[Tensor, " N"]:
    return tried.objective


def first(tried: SearchedWeights) -> Float[Tensor, " N"]:
    """Return J, dominated by the demand that the wanted token comes before all others."""
    return tried.objective + BEHIND * (AHEAD - tried.lead).relu()


@torch.no_grad()  # not inference mode: gradients will flow through the result
def aim(model: AnyModel, trace: AnyTrace, step: int, token: int, penalty: float) -> Aim:
    """Set up the search for one step. Raises InputError if another model made the trace."""
    where = standing(model, trace, [step])
    reach = where.memory.mask[0]
    own = torch.tensor(trace.weight_scores[step]).masked_fill(~reach, -torch.inf).log_softmax(0).masked_fill(~reach, 0)
    logits = model.network.logits(torch.tensor(trace.attentional[step]))
    return Aim(model, where, own, logits, token, int(logits[STOP:].argmax()) + STOP, penalty)


def measure(aim: Aim, weights: Float[Tensor, "N S"]) -> SearchedWeights:
    """Return the step's output for each row of weights; gradients flow from all of it to the weights."""
    logits = retake(aim.model, repeated(aim.where, len(weights)), weights)
    chances = logits.log_softmax(1)
    others = torch.cat([logits[:, STOP : aim.token], logits[:, aim.token + 1 :]], dim=1)
    lead = logits[:, aim.token] - others.amax(1)
    smallest = torch.finfo(weights.dtype).tiny
    cost = (weights * (weights.clamp_min(smallest).log() - aim.own)).sum(1)
    wanted = chances[:, aim.token]
    return SearchedWeights(weights, aim.penalty * cost - wanted, lead, wanted, chances[:, aim.likeliest], cost)


@torch.enable_grad()
def slopes(aim: Aim, weights: Float[Tensor, "N S"], goal: Goal) -> tuple[SearchedWeights, Float[Tensor, "N S"]]:
    """Return the output, and the gradient of the goal on the scores, each number divided by its weight."""
    weights = weights.detach().requires_grad_()
    tried = measure(aim, weights)
    (slope,) = torch.autograd.grad(goal(tried).sum(), weights)
    level = (weights.detach() * slope).sum(1, keepdim=True)
    return SearchedWeights(*(part.detach() for part in tried)), (slope - level) * aim.reach


def descend(aim: Aim, scores: Float[Tensor, "N S"], goal: Goal) -> SearchedWeights:
    """Return all that the iterations tried, the rows of scores side by side: each part has shape I × N, weights × S."""
    scores, smoothed, path = scores.clone(), SmoothedSlopes.none(scores), []
    for iteration in range(ITERATIONS):
        tried, slope = slopes(aim, weigh(scores, aim.reach), goal)
        smoothed = smoothed.with_slope(slope / (slope.abs().amax(1, keepdim=True) + FLAT))
        scores = scores - smoothed.step(iteration + 1, RATE * (1 - iteration / ITERATIONS))
        path.append(tried)
    return SearchedWeights(*(torch.stack(parts) for parts in zip(*path, strict=True)))
