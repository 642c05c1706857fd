"""Exact match: the number of sequences that greedy decoding writes with every token right and none added."""

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

TESTED = 200  # held-out sequences that measure a run, or fewer if short lengths have fewer
CERTAIN = 1.96  # standard deviations on either side that hold 95% of a normal distribution


@dataclass(frozen=True)
class Exact:
    """The number of sequences, and how many of them were written exactly."""

    sequences: int
    right: int

    @property
    def share(self) -> float:
        return self.right / self.sequences

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the share of all such sequences: Wilson (1927)."""
        count, square = self.sequences, CERTAIN**2
        middle = (self.share + square / (2 * count)) / (1 + square / count)
        half = CERTAIN / (1 + square / count) * sqrt(self.share * (1 - self.share) / count + square / (4 * count**2))
        return max(0.0, middle - half), min(1.0, middle + half)


@torch.inference_mode()
def exact(network: AnyNetwork, tested: Batch) -> Bool[Tensor, " B"]:
    """Mark the rows that greedy decoding gets exactly right: equal to the target to its end, `</s>` included."""
    steps = islice(decoder_steps(network, network.encode(tested.source)), tested.target.shape[1])
    written = torch.stack([decoded.tokens for decoded in steps], dim=1)
    return ((written == tested.target) | (tested.target == PAD)).all(1)


def tested(setup: Setup) -> list[Numbers]:
    """Return the held-out sequences that monitor a run and end it; the same for all runs, whatever their seed."""
    return [each for length in _lengths(setup) for each in sample(length, setup.symbols, _most_per_length(setup))]


def others(setup: Setup, length: int, most: int) -> list[Numbers]:
    """Return held-out sequences of a length that are not in `tested`, or those of `tested` if there are no others. A
    run ends when it writes `tested` well, so its score on those is biased."""
    used = _most_per_length(setup) if length in _lengths(setup) else 0
    return sample(length, setup.symbols, used + most)[used:] or sample(length, setup.symbols, most)


def _lengths(setup: Setup) -> range:
    return range(setup.shortest, setup.longest + 1)


def _most_per_length(setup: Setup) -> int:
    """Return the most sequences tested of each length."""
    return ceil(TESTED / len(_lengths(setup)))


def measured(network: AnyNetwork, task: str, sequences: Sequence[Numbers]) -> Exact:
    return Exact(len(sequences), int(exact(network, batch(task, sequences)).sum()))


def by_length(network: AnyNetwork, setup: Setup, lengths: range, most: int) -> dict[int, Exact]:
    """Measure each length on up to `most` of the `others`."""
    return {length: measured(network, setup.task, others(setup, length, most)) for length in lengths}
