"""Measurements that answer claims of tutorials: early words forgotten, steps one by one, and the cost of attention."""

from collections.abc import Sequence

import numpy as np
import torch

from regard.model.analysis.faithfulness import leave_one_out
from regard.model.checkpoint import Pretrained
from regard.model.network import fed_tokens
from regard.model.trace import Trace
from regard.model.translate import translate


def influence_by_third(model: Pretrained, sentences: Sequence[str]) -> tuple[float, float, float]:
    """Return how far leaving out a token changes a step, on average, by the third of the sentence it stands in."""
    changes = [leave_one_out(model, trace)[:, :-1].mean(0) for trace in translate(model, sentences)]
    thirds = [[float(part.mean()) for part in np.array_split(each, 3)] for each in changes]
    first, middle, last = np.mean(thirds, axis=0).tolist()
    return first, middle, last


def at_once_difference(model: Pretrained, sentence: str) -> float:
    """Return the largest difference in h̃ between all steps computed at once and one after another."""
    (trace,) = translate(model, [sentence])
    with torch.inference_mode():
        memory = model.network.encode(torch.tensor(trace.source_ids)[None])
        together = model.network.vectors(fed_tokens(trace)[None], memory)[0].numpy()
    return float(np.abs(together - trace.attentional).max())


def multiplications(model: Pretrained, trace: Trace) -> tuple[int, int]:
    """Return the multiplications of attention and of the rest of the decoder for a translation."""
    (steps, positions), size = trace.weights.shape, trace.annotations.shape[1]
    sizes = {name: each.numel() for name, each in model.network.named_parameters() if each.dim() == 2}
    keys = positions * sum(count for name, count in sizes.items() if name.startswith("decoder.score"))
    attention = keys + steps * 2 * positions * size  # W h once for a sentence; s · W h and α h at every step
    step = ("decoder.cell", "decoder.W_c", "embedding.weight")
    return attention, steps * sum(count for name, count in sizes.items() if name.startswith(step))
