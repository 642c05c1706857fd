"""Adversarial attention, found by gradient: weights that make a wanted token the likeliest at one step.

Everything before the step stays as it was. With weights α = softmax(z) over the reachable positions, the model's own
weights a, the wanted token y and a penalty λ,

    J(α) = −log p(y | α) + λ KL(α ‖ a)      KL(α ‖ a) = Σ_i α_i log(α_i / a_i)

    ∂J/∂z_i = α_i (∂J/∂α_i − Σ_k α_k ∂J/∂α_k)

A descent step omits the factor α_i, so that a position with hardly any weight can gain some and one that should have
none gets close to it. The steepest slope of a row counts as 1, the others in proportion, and Adam (Kingma and Ba 2015)
turns them into steps. Several starts descend side by side. The token is not always the likeliest where its probability
is greatest, so if nothing on the way has put it first, a second descent aims for that alone.

In a Transformer the model's own weights a are those of `trace.weights`, and candidate weights are given to every head
of its cross-attention; the step's unchanged output comes from its heads as they are.

A context cannot leave the convex hull of the annotations, so at most steps most tokens are out of reach. But a failed
search does not prove that no such weights exist.
"""

from dataclasses import dataclass
from math import log
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from regard.model.attention import weigh
from regard.model.autoregression import Prefixes, retake, standing
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import AnyModel
from regard.model.input_error import InputError
from regard.model.network import repeated
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace
from regard.model.values import ReadOnly

ITERATIONS = 60
RATE = 0.5  # the change of a score in the first iteration; it shrinks after that
SMOOTHING = (0.8, 0.8)  # Adam's β for slopes and for their squares: a short memory, because iterations are few
FLAT = 1e-3  # slopes of about this size or smaller count as none
AHEAD, BEHIND = 0.01, 100.0  # logit lead a token must have to be first, and the cost in nats of each missing logit
PENALTY = 0.1  # default λ
CORNERS = 10  # descents that start near a single position, those with the lowest J, at most
NEAR = 0.9  # weight of that position at the start
DIGITS = 6  # decimals of the weights found, so that a link carries them exactly
ALIKE = 3  # decimals of J that are compared; in a tie, a descent from the model's own weights wins, then earlier ones
CLEAR = 1e-3  # logit lead a token needs to be first, so that rounding the weights keeps it there
LISTED = 5  # likeliest tokens compared before and after


class Aim(NamedTuple):
    """The wanted token and the step that should produce it."""

    model: AnyModel
    where: Prefixes  # one row
    own: Float[Tensor, " S"]  # log a; 0 at unreachable positions
    own_logits: Float[Tensor, " V"]  # with the model's own weights
    token: int
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
    cost: Float[Tensor, "*N"]  # KL(α ‖ a)


@torch.no_grad()  # not inference mode: gradients will flow through the result
def aim(model: AnyModel, trace: AnyTrace, step: int, token: int, penalty: float) -> Aim:
    """Set up the search for one step. Raises InputError if another model made the trace."""
    where = standing(model, trace, [step])
    reach = where.memory.mask[0]
    own = torch.tensor(trace.weight_scores[step]).masked_fill(~reach, -torch.inf).log_softmax(0).masked_fill(~reach, 0)
    return Aim(model, where, own, model.network.logits(torch.tensor(trace.attentional[step])), token, penalty)


def measure(aim: Aim, weights: Float[Tensor, "N S"]) -> SearchedWeights:
    """Return the step's output for each row of weights; gradients flow from all of it to the weights."""
    logits = retake(aim.model, repeated(aim.where, len(weights)), weights)
    chances = logits.log_softmax(1)
    others = torch.cat([logits[:, STOP : aim.token], logits[:, aim.token + 1 :]], dim=1)
    lead = logits[:, aim.token] - others.amax(1)
    smallest = torch.finfo(weights.dtype).tiny
    cost = (weights * (weights.clamp_min(smallest).log() - aim.own)).sum(1)
    wanted = chances[:, aim.token]
    return SearchedWeights(weights, aim.penalty * cost - wanted, lead, wanted, cost)


@torch.enable_grad()
def descend(aim: Aim, scores: Float[Tensor, "N S"], leading: bool) -> SearchedWeights:
    """Return all that the iterations tried, the rows of scores side by side: each part has shape I × N, weights × S.
    With `leading` the demand that the wanted token comes before all others dominates J.

    The steps are Adam's; `torch.optim` would import 80 MB of other modules for them.
    """
    (kept, kept_squares), path = SMOOTHING, []
    slopes_mean, squares_mean = torch.zeros_like(scores), torch.zeros_like(scores)
    for iteration in range(ITERATIONS):
        weights = weigh(scores, aim.reach).detach().requires_grad_()
        tried = measure(aim, weights)
        goal = tried.objective + BEHIND * (AHEAD - tried.lead).relu() if leading else tried.objective
        (slope,) = torch.autograd.grad(goal.sum(), weights)
        path.append([part.detach() for part in tried])
        slope = (slope - (path[-1][0] * slope).sum(1, keepdim=True)) * aim.reach
        slope = slope / (slope.abs().amax(1, keepdim=True) + FLAT)
        slopes_mean = slopes_mean.lerp(slope, 1 - kept)
        squares_mean = squares_mean.lerp(slope * slope, 1 - kept_squares)
        mean = slopes_mean / (1 - kept ** (iteration + 1))
        deviation = (squares_mean / (1 - kept_squares ** (iteration + 1))).sqrt()
        scores = scores - RATE * (1 - iteration / ITERATIONS) * mean / (deviation + FLAT)
    return SearchedWeights(*(torch.stack(parts) for parts in zip(*path, strict=True)))


class Chance(NamedTuple):
    """The probability and rank of a token."""

    probability: float
    rank: int  # among all tokens that can be written, from 1


class Shift(NamedTuple):
    """A token before, with the model's own weights, and after, with the best ones found."""

    token: int
    text: str
    before: Chance
    after: Chance


@dataclass(frozen=True, eq=False)
class Outcome(ReadOnly):
    """The step's output with some weights, and their distance from the model's own."""

    weights: Float[ndarray, " S"]
    cost: float  # KL(α ‖ a) in nats
    moved: float  # ½ Σ_i |α_i − a_i|, the total variation distance
    wanted: Chance  # of the wanted token
    written: str  # the likeliest token
    written_probability: float


@dataclass(frozen=True)
class AttentionSearch:
    """The wanted token of one step, and the result of the search. `found` has the lowest J of all weights tried;
    `first` the lowest among those that put the wanted token first, or None."""

    step: int
    token: int
    text: str  # of the token
    penalty: float  # λ
    own: Outcome
    found: Outcome
    first: Outcome | None
    corners: tuple[tuple[int, Outcome], ...]  # all weight on one position, for each reachable position
    shifts: tuple[Shift, ...]  # the likeliest tokens before and after and the wanted one, likeliest after first
    starts: int  # number of descents
    iterations: int  # per descent

    @property
    def best(self) -> Outcome:
        """The weights to use: those that write the token, if there are any."""
        return self.first or self.found

    @property
    def intervention(self) -> Intervention:
        """The best weights as a change of the translation."""
        return Intervention(weights=((self.step, tuple(self.best.weights.tolist())),))


def search_attention(
    model: AnyModel, trace: AnyTrace, step: int, token: int, penalty: float = PENALTY
) -> AttentionSearch:
    """Search for weights at one step of a trace (from 0) that make this token the likeliest. Raises InputError for an
    unknown step or token, an invalid penalty, or a trace of another model."""
    _check(model, trace, step, token, penalty)
    wanted = aim(model, trace, step, token, penalty)
    alone = torch.eye(len(wanted.own), dtype=wanted.own.dtype)[wanted.reach]
    with torch.no_grad():
        corners = measure(wanted, alone)
    best_corners = corners.weights[corners.objective.argsort()[:CORNERS]]
    near = log(NEAR / (1 - NEAR) * max(1, len(alone) - 1)) * best_corners
    scores = torch.cat([torch.stack([wanted.own, 0 * wanted.own]), near])  # the starts: own, uniform, near corners
    descents = [descend(wanted, scores, leading=False)]
    tried = _all(corners, descents)
    if tried.lead[_lowest(tried.objective)] <= CLEAR:
        descents.append(descend(wanted, scores, leading=True))
        tried = _all(corners, descents)
    lowest, leading = _lowest(tried.objective), (tried.lead > CLEAR).nonzero()[:, 0]
    found = _rounded(tried.weights[lowest])
    first = _rounded(tried.weights[leading[_lowest(tried.objective[leading])]]) if len(leading) else None
    own = (wanted.own.exp() * wanted.reach).numpy()
    return AttentionSearch(
        step,
        token,
        model.tokenizer.token(token),
        penalty,
        own=_outcome(wanted, own, wanted.own_logits),
        found=_outcome(wanted, found),
        first=None if first is None else _outcome(wanted, first),
        corners=tuple((int(row.argmax()), _outcome(wanted, row.numpy())) for row in alone),
        shifts=_shifts(wanted, found if first is None else first),
        starts=len(scores) * len(descents),
        iterations=ITERATIONS,
    )


def _check(model: AnyModel, trace: AnyTrace, step: int, token: int, penalty: float) -> None:
    if step not in range(len(trace.target)):
        raise InputError(f"step is {step}; this translation has 0 to {len(trace.target) - 1}")
    if token not in range(STOP, len(model.tokenizer)):
        raise InputError(f"token is {token}; those that can be written are {STOP} to {len(model.tokenizer) - 1}")
    if not 0 <= penalty < float("inf"):
        raise InputError(f"penalty is {penalty}; it must be a number of at least 0")


def _all(corners: SearchedWeights, descents: list[SearchedWeights]) -> SearchedWeights:
    """Stack every iteration of each start of each descent, the model's own weights first, then the corners."""
    rows = [SearchedWeights(*(part.transpose(0, 1).flatten(0, 1) for part in descent)) for descent in descents]
    return SearchedWeights(*(torch.cat(parts) for parts in zip(*rows, corners, strict=True)))


def _lowest(objective: Float[Tensor, " N"]) -> int:
    return int(objective.round(decimals=ALIKE).argmin())


def _rounded(weights: Float[Tensor, " S"]) -> Float[ndarray, " S"]:
    """Round the weights; the greatest takes the remainder to 1."""
    short = weights.double().numpy().round(DIGITS)
    greatest = int(short.argmax())
    short[greatest] = 0
    short[greatest] = round(1 - short.sum(), DIGITS)
    return short


@torch.no_grad()
def _outcome(wanted: Aim, weights: Float[ndarray, " S"], own_logits: Float[Tensor, " V"] | None = None) -> Outcome:
    """Return the step's output with these weights; that of the model's own is `own_logits`, from its heads."""
    tried = measure(wanted, torch.tensor(weights, dtype=wanted.own.dtype)[None])
    chances = (_logits(wanted, weights) if own_logits is None else own_logits).softmax(0)
    best = int(chances[STOP:].argmax()) + STOP
    return Outcome(
        weights,
        cost=max(0.0, tried.cost.item()),
        moved=(tried.weights[0] - wanted.own.exp() * wanted.reach).abs().sum().item() / 2,
        wanted=_chance(chances, wanted.token),
        written=wanted.model.tokenizer.token(best),
        written_probability=chances[best].item(),
    )


def _shifts(wanted: Aim, best: Float[ndarray, " S"]) -> tuple[Shift, ...]:
    before, after = (logits.softmax(0) for logits in (wanted.own_logits, _logits(wanted, best)))
    tokens = {wanted.token}
    for chances in (before, after):
        tokens |= {STOP + place for place in chances[STOP:].topk(LISTED).indices.tolist()}
    return tuple(
        Shift(token, wanted.model.tokenizer.token(token), _chance(before, token), _chance(after, token))
        for token in sorted(tokens, key=lambda token: (-after[token].item(), token))
    )


@torch.no_grad()
def _logits(wanted: Aim, weights: Float[ndarray, " S"]) -> Float[Tensor, " V"]:
    return retake(wanted.model, wanted.where, torch.tensor(weights, dtype=wanted.own.dtype)[None])[0]


def _chance(chances: Float[Tensor, " V"], token: int) -> Chance:
    return Chance(chances[token].item(), int((chances[STOP:] > chances[token]).sum()) + 1)
