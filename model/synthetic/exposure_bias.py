"""Exposure bias: how much worse a network writes after its own numbers than after the right ones.

Two networks with the same setup learn to sort sequences. In training, every step of the one is fed the right number
(teacher forcing, Williams and Zipser 1989), every step of the other the number it wrote itself. Both are then measured
on held-out sequences of the greatest length: the share of steps whose likeliest number is right, first after the right
numbers, then after their own, errors included. `pretrained/recipe/exposure.py` trains and measures them for several
seeds and writes `exposure_bias.toml`, which is read here; the networks are not stored.
"""

from pathlib import Path
from typing import NamedTuple

from regard.model.files import toml_beside
from regard.model.synthetic.setup import Setup

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


def recorded() -> tuple[Exposure, ...]:
    """Return the measurements that were written last."""
    return tuple(Exposure(**run) for run in toml_beside(__file__, RECORD.name)["run"])
