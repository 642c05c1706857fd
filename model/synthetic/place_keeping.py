"""Place keeping of a network that reverses numbers: how often it attends to the right one, by the decoder's input.

Step t is on the line if its heaviest weight is on source number N + 1 - t, counted from 1. The decoder is fed its own
numbers, the right ones with one error, or random ones; in training it was fed the right ones only (exposure bias).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from regard.model.checkpoint import Pretrained
from regard.model.synthetic.tasks import pair, sample
from regard.model.trace import Trace
from regard.model.translate import force, translate

SEQUENCES = 60  # held-out ones that are measured
WRONG = 5  # the number that is wrong, from 1


class PlaceKeeping(NamedTuple):
    """The share of steps on the line when the decoder is fed each kind of numbers."""

    own: float
    one_wrong: float
    random: float


def place_keeping(model: Pretrained, length: int, symbols: int) -> PlaceKeeping:
    """Return the shares over held-out sequences of a length, made of numbers below `symbols`."""
    pairs = [pair("reverse", numbers) for numbers in sample(length, symbols, SEQUENCES)]
    random = np.random.default_rng(0)
    noise = [" ".join(map(str, random.integers(symbols, size=length))) for _ in pairs]
    slips = [_with_a_slip(each.target, symbols) for each in pairs]
    sources = [each.source for each in pairs]
    return PlaceKeeping(
        _share(translate(model, sources), length),
        _share(force(model, list(zip(sources, slips, strict=True))), length),
        _share(force(model, list(zip(sources, noise, strict=True))), length),
    )


def _with_a_slip(target: str, symbols: int) -> str:
    numbers = target.split()
    numbers[WRONG - 1] = str((int(numbers[WRONG - 1]) + 1) % symbols)
    return " ".join(numbers)


def _share(traces: Sequence[Trace], length: int) -> float:
    """Return the share of steps, without `</s>`, whose heaviest weight is on the number to write next."""
    hits = [trace.weights[:length].argmax(1) == length - 1 - np.arange(len(trace.weights[:length])) for trace in traces]
    return float(np.concatenate(hits).mean())
