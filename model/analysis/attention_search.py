"""Adversarial attention, found by gradient: weights that make a wanted token the likeliest at one step.

Everything before the step stays as it was. Several starts descend the gradient of
`regard.model.analysis.gradient_search` side by side. The token is not always the likeliest where its probability is
greatest, so if nothing on the way has put it first, a second descent aims for that alone.

In a Transformer the model's own weights a are those of `trace.weights`, and candidate weights are given to every head
of its cross-attention; the step's unchanged output comes from its heads as they are.

A context cannot leave the convex hull of the annotations, so at most steps most tokens are out of reach. But a failed
search does not prove that no such weights exist.
"""

from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from regard.model.analysis.gradient_search import Aim, SearchedWeights, aim, descend, first, measure, objective
from regard.model.autoregression import retake
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import AnyModel
from regard.model.input_error import InputError
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace
from regard.model.values import ReadOnly

PENALTY = 0.1  # default λ
CORNERS = 10  # descents that start near a single position, those with the lowest J, at most
NEAR = 0.9  # weight of that position at the start
DIGITS = 6  # decimals of the weights found, so that a link carries them exactly
ALIKE = 3  # decimals of J that are compared; in a tie, a descent from the model's own weights wins, then earlier ones
CLEAR = 1e-3  # logit lead a token needs to be first, so that rounding the weights keeps it there
LISTED = 5  # likeliest tokens compared before and after
STARTS = ("own", "uniform", "near")  # the model's own weights; all equal; almost all on one position


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


@dataclass(frozen=True, eq=False)
class Path(ReadOnly):
    """The descent that led to the best weights, a row per iteration."""

    start: str  # one of STARTS
    taken: int  # the iteration of the best weights, from 0
    objective: Float[ndarray, " N"]  # J
    wanted: Float[ndarray, " N"]  # probability of the wanted token
    likeliest: Float[ndarray, " N"]  # probability of the model's own likeliest token
    cost: Float[ndarray, " N"]
    weights: Float[ndarray, "N S"]


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
    path: Path
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
    names, scores = _starts(wanted, corners)
    descents = [descend(wanted, scores, objective)]
    tried = _all(corners, descents)
    if tried.lead[_lowest(tried.objective)] <= CLEAR:
        descents.append(descend(wanted, scores, first))
        tried = _all(corners, descents)
    lowest, ahead = _lowest(tried.objective), _lowest_ahead(tried)
    best = lowest if ahead is None else ahead
    own = (wanted.own.exp() * wanted.reach).numpy()
    return AttentionSearch(
        step, token, model.tokenizer.token(token), penalty,
        own=_outcome(wanted, own, wanted.own_logits),
        found=_retaken(wanted, _rounded(tried.weights[lowest])),
        first=None if ahead is None else _retaken(wanted, _rounded(tried.weights[ahead])),
        corners=tuple((int(row.argmax()), _retaken(wanted, row.numpy())) for row in alone),
        shifts=_shifts(wanted, _rounded(tried.weights[best])),
        path=_path(names, descents, best),
        starts=len(scores) * len(descents),
        iterations=len(descents[0].objective),
    )  # fmt: skip


def _check(model: AnyModel, trace: AnyTrace, step: int, token: int, penalty: float) -> None:
    if step not in range(len(trace.target)):
        raise InputError(f"step is {step}; this translation has 0 to {len(trace.target) - 1}")
    if token not in range(STOP, len(model.tokenizer)):
        raise InputError(f"token is {token}; those that can be written are {STOP} to {len(model.tokenizer) - 1}")
    if not 0 <= penalty < float("inf"):
        raise InputError(f"penalty is {penalty}; it must be a number of at least 0")


def _starts(wanted: Aim, corners: SearchedWeights) -> tuple[list[str], Float[Tensor, "N S"]]:
    """Return the names and the scores from which the descents start."""
    best = corners.weights[corners.objective.argsort()[:CORNERS]]
    others = max(1, len(corners.weights) - 1)
    near = log(NEAR / (1 - NEAR) * others) * best
    own, uniform, near_one = STARTS
    return [own, uniform, *[near_one] * len(near)], torch.cat([torch.stack([wanted.own, 0 * wanted.own]), near])


def _all(corners: SearchedWeights, descents: list[SearchedWeights]) -> SearchedWeights:
    """Stack every iteration of each start of each descent, the model's own weights first, then the corners."""
    rows = [SearchedWeights(*(part.transpose(0, 1).flatten(0, 1) for part in descent)) for descent in descents]
    return SearchedWeights(*(torch.cat(parts) for parts in zip(*rows, corners, strict=True)))


def _lowest(objective: Float[Tensor, " N"]) -> int:
    return int(objective.round(decimals=ALIKE).argmin())


def _lowest_ahead(tried: SearchedWeights) -> int | None:
    """Return the row with the lowest J among those that put the wanted token first."""
    ahead = (tried.lead > CLEAR).nonzero()[:, 0]
    return int(ahead[_lowest(tried.objective[ahead])]) if len(ahead) else None


def _rounded(weights: Float[Tensor, " S"]) -> Float[ndarray, " S"]:
    """Round the weights; the greatest takes the remainder to 1."""
    short = weights.double().numpy().round(DIGITS)
    greatest = int(short.argmax())
    short[greatest] = 0
    short[greatest] = round(1 - short.sum(), DIGITS)
    return short


def _path(names: list[str], descents: list[SearchedWeights], row: int) -> Path:
    """Return the descent containing this row; for a corner, the first descent that came lowest."""
    size = descents[0].objective.numel()
    if row >= size * len(descents):
        descent, place = descents[0], _lowest(descents[0].objective.T.flatten())
    else:
        descent, place = descents[row // size], row % size
    start, taken = divmod(place, len(descent.objective))
    weights, reached, _, wanted, likeliest, cost = (part[:, start].numpy() for part in descent)
    return Path(names[start], taken, reached, np.exp(wanted), np.exp(likeliest), cost, weights)


def _retaken(wanted: Aim, weights: Float[ndarray, " S"]) -> Outcome:
    """Return the step's output with these weights."""
    return _outcome(wanted, weights, _logits(wanted, weights))


@torch.no_grad()
def _outcome(wanted: Aim, weights: Float[ndarray, " S"], logits: Float[Tensor, " V"]) -> Outcome:
    tried = measure(wanted, torch.tensor(weights, dtype=wanted.own.dtype)[None])
    chances = logits.softmax(0)
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
