"""Temperature, top-k and nucleus sampling of one token from the model's distribution.

temperature  p(y) ∝ exp(logit(y) / τ): above 1 it flattens, below 1 it sharpens. Ackley, Hinton and Sejnowski (1985)
top-k        only the k likeliest tokens are left. Fan, Lewis and Dauphin (2018)
nucleus      of these only the fewest likeliest that together have p of their probability. Holtzman et al. (2020)

They follow one another in this order. What is left is divided by its sum. Then a random number from 0 up to 1 decides:
the tokens lie side by side from 0 to 1, the likeliest first (of equally likely ones that with the lower id), each as
wide as its chance, and the token on which the number falls is drawn (the inverse of the cumulative distribution). So
whoever has the logits and the number can redo the draw. `<pad>` and `<s>` lie nowhere: they are never drawn.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.reference.formulas import log_sum_exp
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace

TEMPERATURES = (0.1, 2.0)  # from the sharpest to the flattest distribution
OFF_K, OFF_P = 0, 1.0  # the settings that cut nothing
MOST = 100  # samples
SEEDS = 2**32  # how many there are


@dataclass(frozen=True)
class SamplingSettings:
    """How to draw translations. Raises InputError naming what is wrong and what is accepted."""

    temperature: float = 1.0
    top_k: int = OFF_K  # tokens left at most; 0 leaves all
    top_p: float = OFF_P  # the probability that the nucleus has at least; 1 leaves all
    samples: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        low, high = TEMPERATURES
        if not low <= self.temperature <= high:
            raise InputError(
                f"the temperature is {self.temperature}; accepted is a number from {low:g} to {high:g} (towards 0 only "
                "the likeliest token would be left: top-k 1 does that)"
            )
        if self.top_k < 0:
            raise InputError(f"top-k is {self.top_k}; accepted is a whole number from 1, or 0 for no cut")
        if not 0 < self.top_p <= 1:
            raise InputError(f"the nucleus is {self.top_p}; accepted is a number above 0, up to 1 for no cut")
        if not 1 <= self.samples <= MOST:
            raise InputError(f"{self.samples} samples are asked for; accepted is a whole number from 1 to {MOST}")
        if not 0 <= self.seed < SEEDS:
            raise InputError(f"the seed is {self.seed}; accepted is a whole number from 0 to {SEEDS - 1}")


class Draw(NamedTuple):
    """How one token was drawn. It lies from `below` to `below + chance`, and `number` fell there."""

    number: float  # the random one, from 0 up to 1
    token: int  # the id drawn
    place: int  # of that token among all, the likeliest at 0
    within_k: int  # tokens that top-k left
    left: int  # tokens that the nucleus left of these: those drawn from
    mass: float  # the probability that they had together after temperature, before they were divided by it
    probability: float  # of the token, by the model
    chance: float  # of the token, among those drawn from
    below: float  # the chances of the likelier ones together
    log_normaliser: float  # log Σ exp(logit / temperature), over all tokens that may be drawn


def draw(logits: Float[ndarray, " V"], settings: SamplingSettings, number: float) -> Draw:
    """The token that a random number from 0 up to 1 falls on."""
    order = likeliest_first(logits)
    heated = logits[order].astype(np.float64) / settings.temperature
    log_normaliser = float(log_sum_exp(heated[None])[0])
    shares = np.exp(heated - log_normaliser)
    within_k, left = cut(shares, settings.top_k, settings.top_p)
    sums = shares[:left].cumsum()
    mass = float(sums[-1])
    place = int(np.searchsorted(sums, min(number * mass, np.nextafter(mass, 0)), side="right"))
    token = int(order[place])
    own = np.exp(logits[token] - log_sum_exp(logits[None].astype(np.float64))[0])
    below = float(sums[place - 1]) / mass if place else 0.0
    chance = float(shares[place]) / mass
    return Draw(number, token, place, within_k, left, mass, float(own), chance, below, log_normaliser)


def likeliest_first(logits: Float[ndarray, " V"]) -> Int[ndarray, " N"]:
    """The ids that may be drawn: `</s>` and those after it. Equally likely ones come by id."""
    return np.argsort(-logits[STOP:], kind="stable") + STOP


def cut(shares: Float[ndarray, " N"], top_k: int, top_p: float) -> tuple[int, int]:
    """How many tokens top-k leaves, and how many of these the nucleus; `shares` are sorted, the greatest first."""
    within_k = len(shares) if top_k == OFF_K else min(top_k, len(shares))
    if top_p == OFF_P:
        return within_k, within_k
    sums = shares[:within_k].cumsum()
    return within_k, int(np.searchsorted(sums, top_p * sums[-1])) + 1


class ShownDraw(NamedTuple):
    """One draw as a person can see it: the likeliest tokens, that drawn among them, and at the end all others together.

    Shares of 1, but for `left`, which adds up to the mass that was left. What was cut has 0 in `left` and `chance`.
    """

    ids: tuple[int, ...]  # all but the last entry of each array
    tokens: tuple[str, ...]  # of these
    drawn: int  # which of them was drawn
    own: Float[ndarray, " N"]  # by the model
    heated: Float[ndarray, " N"]  # after temperature
    left: Float[ndarray, " N"]  # after the cut
    chance: Float[ndarray, " N"]  # divided by what was left


def seen(trace: AnyTrace, step: int, drawn: Draw, temperature: float) -> ShownDraw:
    """What a draw saw of the tokens that its trace keeps; the drawn one is added where it is not among them."""
    listed = zip(trace.top_ids[step].tolist(), trace.top_tokens[step], trace.top_logits[step].tolist(), strict=True)
    rows = [row for row in listed if row[0] >= STOP]
    if drawn.token not in (row[0] for row in rows):
        rows.append((drawn.token, trace.target[step], float(trace.logits[step])))
    ids, tokens, logits = zip(*rows, strict=True)
    place = ids.index(drawn.token)
    own = np.exp(np.array(logits) - trace.log_normaliser[step])
    heated = np.exp(np.array(logits) / temperature - drawn.log_normaliser)
    stays = np.arange(len(ids)) < drawn.left
    stays[place] = True
    rest = drawn.mass - heated[stays].sum() if drawn.left > stays.sum() else 0.0
    left = np.append(np.where(stays, heated, 0), max(0.0, rest))
    return ShownDraw(ids, tokens, place, _whole(own), _whole(heated), left, left / drawn.mass)


def _whole(shares: Float[ndarray, " N"]) -> Float[ndarray, " M"]:
    """With what all other tokens have together."""
    return np.append(shares, max(0.0, 1 - shares.sum()))
