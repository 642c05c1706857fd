"""Do larger networks overfit more? Small runs on a fixed set of sequences, with their losses on these and on others.

A network overfits if its loss on what it trains on falls below that on held-out sequences. Runs of `practise` sample
every batch anew, so that this cannot show.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Practice, draw_batch

REPEATED = 48  # sequences that a run repeats
WIDTHS, UPDATES = (16, 48, 128), 200  # components of a state, and updates of a run


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
            setup = Setup(attention=attention, hidden=width, shortest=2, longest=6, batch=REPEATED)
            run, repeated = Practice(setup), draw_batch(setup, np.random.default_rng(setup.seed))
            for _ in range(UPDATES):
                run.learn(repeated, torch.ones(repeated.target.shape, dtype=torch.bool))
            size = sum(each.numel() for each in run.network.parameters())
            yield Gap(attention, width, size, run.loss_on(repeated), run.loss_on(run.tested))
