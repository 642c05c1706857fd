"""Temperature, top-k and nucleus sampling of one token from the model's distribution.

temperature  p(y) ∝ exp(logit(y) / τ): above 1 it flattens, below 1 it sharpens. Ackley, Hinton and Sejnowski (1985)
top-k        only the k likeliest tokens are kept. Fan, Lewis and Dauphin (2018)
nucleus      only the fewest likeliest tokens whose share of the kept probability is p. Holtzman et al. (2020)

They apply in this order. The remaining probabilities are divided by their sum. Then a random number from 0 up to 1 is
looked up in the cumulative distribution: the tokens lie side by side from 0 to 1, the likeliest first (ties by lower
id), each as wide as its chance, and the token at the number is sampled. The logits and the number are therefore enough
to repeat the draw. `<pad>` and `<s>` are never sampled.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.reference.formulas import log_sum_exp
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace

TEMPERATURES = (0.1, 2.0)  # from sharpest to flattest
OFF_K, OFF_P = 0, 1.0  # the settings that switch top-k and nucleus off
MOST_SAMPLES = 100  # samples at most
SEEDS = 2**32  # number of seeds


@dataclass(frozen=True)
class SamplingSettings:
    """The settings of sampling. Raises InputError naming the invalid one and the accepted values."""

    temperature: float = 1.0
    top_k: int = OFF_K  # most tokens kept; 0 keeps all
    top_p: float = OFF_P  # least probability of the nucleus; 1 keeps all
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
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise InputError(
                f"{self.samples} samples are asked for; accepted is a whole number from 1 to {MOST_SAMPLES}"
            )
        if not 0 <= self.seed < SEEDS:
            raise InputError(f"the seed is {self.seed}; accepted is a whole number from 0 to {SEEDS - 1}")


class Draw(NamedTuple):
    """The record of one draw: `number` lies between `below` and `below + chance`, the token's interval."""

    number: float  # the random number, from 0 up to 1
    token: int  # the sampled id
    place: int  # the token's rank among all, 0 for the likeliest
    within_k: int  # tokens kept by top-k
    left: int  # tokens kept by the nucleus among them, from which one is sampled
    mass: float  # their total probability after temperature, before division by it
    probability: float  # of the token, by the model
    chance: float  # of the token, among those left
    below: float  # total chance of the likelier tokens
    log_normaliser: float  # log Σ exp(logit / temperature), over all tokens that may be sampled


def draw(logits: Float[ndarray, " V"], settings: SamplingSettings, number: float) -> Draw:
    """Sample the token on which a random number from 0 up to 1 falls."""
    order = np.argsort(-logits[STOP:], kind="stable") + STOP  # never `<pad>` or `<s>`; ties are ordered by id
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


def cut(shares: Float[ndarray, " N"], top_k: int, top_p: float) -> tuple[int, int]:
    """Return the number of tokens kept by top-k, then by the nucleus; `shares` are in descending order."""
    within_k = len(shares) if top_k == OFF_K else min(top_k, len(shares))
    if top_p == OFF_P:
        return within_k, within_k
    sums = shares[:within_k].cumsum()
    return within_k, int(np.searchsorted(sums, top_p * sums[-1])) + 1


class ShownDraw(NamedTuple):
    """One draw as shown: the likeliest tokens and the sampled one, followed by the total of all others. Each array sums
    to 1, except `left`, which sums to the mass kept. Tokens that were cut have 0 in `left` and `chance`."""

    ids: tuple[int, ...]  # all but the last entry of each array
    tokens: tuple[str, ...]  # texts of `ids`
    drawn: int  # index of the sampled token
    own: Float[ndarray, " N"]  # probability by the model
    heated: Float[ndarray, " N"]  # after temperature
    left: Float[ndarray, " N"]  # after the cut
    chance: Float[ndarray, " N"]  # after division by the mass kept


def seen(trace: AnyTrace, step: int, drawn: Draw, temperature: float) -> ShownDraw:
    """Return a draw as shown: the tokens that its trace keeps, and the sampled one if it is not among them."""
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
    return ShownDraw(ids, tokens, place, _with_others(own), _with_others(heated), left, left / drawn.mass)


def _with_others(shares: Float[ndarray, " N"]) -> Float[ndarray, " M"]:
    """Append the total share of all other tokens."""
    return np.append(shares, max(0.0, 1 - shares.sum()))
