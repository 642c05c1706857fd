"""Do larger networks overfit more? Small runs on a fixed set of sequences, with their losses on these and on others.

A network overfits if its loss on what it trains on falls below that on held-out sequences. Runs of `practise` sample
every batch anew, so that this cannot show.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.model.data.corpus import Batch
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import batch, draw
from regard.model.synthetic.trainer import Practice
from regard.model.tokenizer import PAD

REPEATED = 48  # sequences that a run repeats
WIDTHS, UPDATES = (16, 48, 128), 200  # components of a state, and updates of a run


class Repeating(Practice):
    """A run on the same few sequences."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        random = np.random.default_rng(setup.seed)
        lengths = random.integers(setup.shortest, setup.longest, REPEATED, endpoint=True).tolist()
        self.repeated = batch(setup.task, [draw(random, length, setup.symbols) for length in lengths])

    def _draw(self) -> tuple[Batch, Bool[Tensor, "B T"]]:
        return self.repeated, torch.ones(self.repeated.target.shape, dtype=torch.bool)

    def learn(self) -> None:
        """Make all updates, without measuring on the way."""
        for _ in range(self.setup.updates):
            self._learn()

    @torch.inference_mode()
    def loss_on(self, tested: Batch) -> float:
        """Return the mean loss of a batch, in nats per token, with the truth fed."""
        self.network.eval()
        logits = self.network(tested.source, tested.target)
        return cross_entropy(logits, tested.target[tested.target != PAD]).item()


class Gap(NamedTuple):
    """A finished run: its size, and its losses in nats per token."""

    attention: str
    width: int
    parameters: int
    training: float
    held_out: float


def gaps() -> Iterator[Gap]:
    """Train a network of each width without attention and with it, and yield each when it is finished."""
    for attention in ("none", "general"):
        for width in WIDTHS:
            run = Repeating(
                Setup(attention=attention, hidden=width, shortest=2, longest=6, batch=REPEATED, updates=UPDATES)
            )
            run.learn()
            size = sum(each.numel() for each in run.network.parameters())
            yield Gap(attention, width, size, run.loss_on(run.repeated), run.loss_on(run.tested))
