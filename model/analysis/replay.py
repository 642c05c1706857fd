"""Replay of decoder steps with other weights; everything before a step stays as it was."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.attention import Steering
from model.autoregression import Prefixes, advance
from model.cells import Recurrent
from model.checkpoint import Pretrained
from model.decoder import Carried, Memory
from model.tokenizer import START
from model.trace import Trace


def standing(model: Pretrained, trace: Trace, steps: Sequence[int]) -> Prefixes:
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
    return Prefixes(fed_tokens(trace)[rows], carried, memory)


def retake(model: Pretrained, where: Prefixes, weights: Float[Tensor, "B S"]) -> Float[Tensor, "B V"]:
    """The logits that each row gives with these weights in place of its own."""
    none = Steering.none()
    given = Steering(none.bonus, none.temperature, none.hidden, weights, torch.ones(1, 1, dtype=torch.bool))
    return advance(model.network, where, given)[1]


def fed_tokens(trace: Trace) -> Int[Tensor, " T"]:
    """The token fed in at each step."""
    return torch.tensor([START, *trace.target_ids[:-1].tolist()])


def check_maker(model: Pretrained, trace: Trace) -> None:
    if trace.maker.fingerprint != model.fingerprint:
        raise ValueError(f"the trace was made by {trace.maker.name}, not by this {model.name}; translate again with it")
