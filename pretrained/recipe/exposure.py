"""Exposure bias, measured: pairs of small networks that learn with and without teacher forcing, and their record.

`regard.model.synthetic.exposure_bias` says what is compared, and reads the record.
"""

from itertools import islice
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from regard.model.autoregression import decoder_steps, likeliest
from regard.model.files import write_file
from regard.model.network import AnyNetwork
from regard.model.synthetic.exposure_bias import RECORD, SEQUENCES, SETUP, Exposure
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import batch, sample
from regard.model.synthetic.trainer import Practice


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


def write(exposures: tuple[Exposure, ...], file: Path = RECORD) -> None:
    rows = (", ".join(f"{name} = {value}" for name, value in run._asdict().items()) for run in exposures)
    head = f"# Written by `python -m pretrained.recipe exposure`: {SEQUENCES} sequences of {SETUP.longest} numbers.\n"
    write_file(file, head + "run = [\n" + "".join(f"  {{ {row} }},\n" for row in rows) + "]\n")
