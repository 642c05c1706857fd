"""Replay of decoder steps with other weights; everything before a step stays as it was."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.attention import Steering
from model.cells import Recurrent
from model.checkpoint import Pretrained
from model.decoder import Carried, Memory
from model.tokenizer import START
from model.trace import Trace


class Standing(NamedTuple):
    """Where a decoder stands before a step, a row for each time that one is taken."""

    fed: Int[Tensor, " B"]
    carried: Carried
    memory: Memory

    def repeated(self, rows: int) -> "Standing":
        """One row, as often as that."""
        (state, cell), attentional = self.carried
        carried = Carried(Recurrent(_spread(state, rows), _spread(cell, rows)), _spread(attentional, rows))
        return Standing(_spread(self.fed, rows), carried, Memory(*(_spread(part, rows) for part in self.memory)))


def standing(model: Pretrained, trace: Trace, steps: Sequence[int]) -> Standing:
    """Before each of some steps of a trace, counted from 0; one may come more than once.

    Raises ValueError when another model made the trace.
    """
    check_maker(model, trace)
    rows = list(steps)
    states, cells, attentional = (
        np.vstack([start, after[:-1]])[rows]
        for start, after in (
            (trace.initial_state, trace.states),
            (trace.initial_cell, trace.cells),
            (np.zeros_like(trace.attentional[0]), trace.attentional),
        )
    )
    annotations = torch.tensor(trace.annotations)[None]
    keys = model.network.decoder.score.keys(annotations)
    memory = Memory(
        annotations.expand(len(rows), -1, -1), keys.expand(len(rows), -1, -1), torch.tensor(trace.mask[rows])
    )
    carried = Carried(Recurrent(torch.tensor(states), torch.tensor(cells)), torch.tensor(attentional))
    return Standing(fed_tokens(trace)[rows], carried, memory)


def retake(model: Pretrained, where: Standing, weights: Float[Tensor, "B S"]) -> Float[Tensor, "B V"]:
    """The logits that each row gives with these weights in place of its own."""
    none = Steering.none()
    given = Steering(none.bonus, none.temperature, none.hidden, weights, torch.ones(1, 1, dtype=torch.bool))
    return model.network.logits(model.network.step(*where, given).attentional)


def _spread(tensor: Tensor, rows: int) -> Tensor:
    return tensor.expand(rows, *tensor.shape[1:])


def fed_tokens(trace: Trace) -> Int[Tensor, " T"]:
    """The token fed in at each step."""
    return torch.tensor([START, *trace.target_ids[:-1].tolist()])


def check_maker(model: Pretrained, trace: Trace) -> None:
    if trace.maker.fingerprint != model.fingerprint:
        raise ValueError(f"the trace was made by {trace.maker.name}, not by this {model.name}; translate again with it")
