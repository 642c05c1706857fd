"""Small trainings that answer claims: do larger networks overfit more, and does the fed truth speed training up?

A network overfits if its loss on what it trains on falls below that on held-out sequences. Runs of `practise` sample
every batch anew, so that this cannot show; here a run repeats a fixed set of sequences.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.model.data.corpus import Batch
from regard.model.network import AnyNetwork
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import batch, draw
from regard.model.synthetic.trainer import Note, Practice
from regard.model.tokenizer import PAD

REPEATED = 48  # sequences that a run repeats
WIDTHS, SHORT = (16, 48, 128), 200  # components of a state, and updates of a run
PAIR = tuple(  # fed the truth, and fed its own numbers
    Setup(task="sort", updates=300, teacher_forcing=forcing) for forcing in (1.0, 0.0)
)


class Repeating(Practice):
    """A run on the same few sequences, measured at its end."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        random = np.random.default_rng(setup.seed)
        lengths = random.integers(setup.shortest, setup.longest, REPEATED, endpoint=True).tolist()
        self.repeated = [draw(random, length, setup.symbols) for length in lengths]

    def _draw(self) -> tuple[Batch, Bool[Tensor, "B T"]]:
        drawn = batch(self.setup.task, self.repeated)
        return drawn, torch.ones(drawn.target.shape, dtype=torch.bool)

    def _measures(self) -> bool:
        return self.update == self.setup.updates

    def _looks(self) -> bool:
        return False


class Gap(NamedTuple):
    """A finished run: its size, and its losses in nats per token, with the truth fed."""

    attention: str
    width: int
    parameters: int
    training: float
    held_out: float


def gaps(attentions: tuple[str, ...]) -> Iterator[Gap]:
    """Train a network of each width with each attention on the same sequences, and yield each when it is finished."""
    for attention in attentions:
        for width in WIDTHS:
            run = Repeating(
                Setup(attention=attention, hidden=width, shortest=2, longest=6, batch=REPEATED, updates=SHORT)
            )
            for _ in run.run():
                pass
            size = sum(each.numel() for each in run.network.parameters())
            seen = batch(run.setup.task, run.repeated)
            yield Gap(attention, width, size, _loss(run.network, seen), _loss(run.network, run.tested))


def taught() -> Iterator[tuple[Note, ...]]:
    """Train both networks of `PAIR` and yield the notes of each when it is finished."""
    for setup in PAIR:
        run = Practice(setup)
        for _ in run.run():
            pass
        yield tuple(run.notes)


@torch.inference_mode()
def _loss(network: AnyNetwork, tested: Batch) -> float:
    network.eval()
    return cross_entropy(network(tested.source, tested.target), tested.target[tested.target != PAD]).item()
