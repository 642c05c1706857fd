"""Exposure bias: how much worse a network writes after its own numbers than after the right ones.

Two networks with the same setup learn to sort sequences. In training, every step of the one is fed the right number
(teacher forcing, Williams and Zipser 1989), every step of the other the number it wrote itself. Both are then measured
on held-out sequences of the greatest length: the share of steps whose likeliest number is right, first after the right
numbers, then after their own, errors included. `python -m pretrained.recipe exposure` trains and measures them for
several seeds and writes `exposure_bias.toml`; the networks are not kept.
"""

from itertools import islice
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from regard.model.autoregression import decoder_steps, likeliest
from regard.model.files import toml_beside, write_file
from regard.model.network import AnyNetwork
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import batch, sample
from regard.model.synthetic.trainer import Practice

SETUP = Setup(task="sort", longest=12, hidden=32, updates=400)
SEEDS = (1, 2, 3, 4, 5)
SEQUENCES = 300
RECORD = Path(__file__).with_suffix(".toml")


class Exposure(NamedTuple):
    """The shares of right steps of one network, after each kind of numbers."""

    seed: int
    teacher_forcing: float
    after_right: float
    after_own: float

    @property
    def lost(self) -> float:
        return self.after_right - self.after_own


def measure(seed: int, teacher_forcing: float, setup: Setup = SETUP) -> Exposure:
    """Train a network and measure it."""
    practice = Practice(Setup(**{**vars(setup), "seed": seed, "teacher_forcing": teacher_forcing}))
    for _ in practice.run():
        pass
    practice.network.eval()
    drawn = batch(setup.task, sample(setup.longest, setup.symbols, SEQUENCES))
    shares = [round(share_right(practice.network, drawn.source, drawn.target, right), 4) for right in (True, False)]
    return Exposure(seed, teacher_forcing, *shares)


@torch.inference_mode()
def share_right(
    network: AnyNetwork, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"], after_right: bool
) -> float:
    """Return the share of steps whose likeliest token is that of targets of equal length, after theirs or its own."""
    steps = decoder_steps(
        network,
        network.encode(source),
        lambda step, logits: target[:, step] if after_right else likeliest(step, logits),
    )
    found = [likeliest(step, decoded.logits) for step, decoded in enumerate(islice(steps, target.shape[1]))]
    return float((torch.stack(found, dim=1) == target).float().mean())


def recorded() -> tuple[Exposure, ...]:
    """Return the measurements that were written last."""
    return tuple(Exposure(**run) for run in toml_beside(__file__, RECORD.name)["run"])


def write(exposures: tuple[Exposure, ...], file: Path = RECORD) -> None:
    rows = (", ".join(f"{name} = {value}" for name, value in run._asdict().items()) for run in exposures)
    head = f"# Written by `python -m pretrained.recipe exposure`: {SEQUENCES} sequences of {SETUP.longest} numbers.\n"
    write_file(file, head + "run = [\n" + "".join(f"  {{ {row} }},\n" for row in rows) + "]\n")
