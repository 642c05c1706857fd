"""Exact match: how many sequences a network writes with every token right and no token too many, by greedy decoding."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil, sqrt

import torch
from jaxtyping import Bool
from torch import Tensor

from regard.model.autoregression import decoder_steps
from regard.model.data.corpus import Batch
from regard.model.network import AnyNetwork
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import Numbers, batch, sample
from regard.model.tokenizer import PAD

TESTED = 200  # held-out sequences that a run is measured on, or fewer where short lengths have no more
CERTAIN = 1.96  # standard deviations on either side hold 95 % of a normal distribution


@dataclass(frozen=True)
class Exact:
    """Of how many sequences how many were written exactly."""

    sequences: int
    right: int

    @property
    def share(self) -> float:
        return self.right / self.sequences

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of all such sequences lies, with 95 % confidence: Wilson (1927)."""
        count, square = self.sequences, CERTAIN**2
        middle = (self.share + square / (2 * count)) / (1 + square / count)
        half = CERTAIN / (1 + square / count) * sqrt(self.share * (1 - self.share) / count + square / (4 * count**2))
        return max(0.0, middle - half), min(1.0, middle + half)


@torch.inference_mode()
def exact(network: AnyNetwork, tested: Batch) -> Bool[Tensor, " B"]:
    """Which rows greedy decoding gets exactly right: as far as the target goes, `</s>` included, it never differs."""
    steps = islice(decoder_steps(network, network.encode(tested.source)), tested.target.shape[1])
    written = torch.stack([decoded.tokens for decoded in steps], dim=1)
    return ((written == tested.target) | (tested.target == PAD)).all(1)


def tested(setup: Setup) -> list[Numbers]:
    """Held-out sequences of all lengths that a run is watched with, and that end it; the same for all runs on sequences
    like these, whatever their seed."""
    return [each for length in _lengths(setup) for each in sample(length, setup.symbols, _most(setup))]


def others(setup: Setup, length: int, most: int) -> list[Numbers]:
    """Held-out sequences of a length that did not end the run; those that did, where there are no others.

    A run ends when it writes `tested` well, and is better at them than at others for that.
    """
    used = _most(setup) if length in _lengths(setup) else 0
    return sample(length, setup.symbols, used + most)[used:] or sample(length, setup.symbols, most)


def _lengths(setup: Setup) -> range:
    return range(setup.shortest, setup.longest + 1)


def _most(setup: Setup) -> int:
    """How many of each length are tested, where there are so many."""
    return ceil(TESTED / len(_lengths(setup)))


def measured(network: AnyNetwork, task: str, sequences: Sequence[Numbers]) -> Exact:
    return Exact(len(sequences), int(exact(network, batch(task, sequences)).sum()))


def by_length(network: AnyNetwork, setup: Setup, lengths: range, most: int) -> dict[int, Exact]:
    """For each length, on at most so many of the `others`."""
    return {length: measured(network, setup.task, others(setup, length, most)) for length in lengths}
