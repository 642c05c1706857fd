"""Place keeping of a network that reverses numbers: how often it attends to the number whose turn it is.

Step t is on the line if its heaviest weight is on source number N + 1 - t, counted from 1.
"""

import numpy as np

from regard.model.checkpoint import Pretrained
from regard.model.synthetic.tasks import pair, sample
from regard.model.translate import translate

SEQUENCES = 60  # held-out ones that are measured


def on_line(model: Pretrained, length: int, symbols: int) -> float:
    """Return the share of steps on the line, `</s>` left out, over held-out sequences of a length."""
    traces = translate(model, [pair("reverse", numbers).source for numbers in sample(length, symbols, SEQUENCES)])
    hits = [trace.weights[:length].argmax(1) == length - 1 - np.arange(len(trace.weights[:length])) for trace in traces]
    return float(np.concatenate(hits).mean())
