"""Replay of decoder steps with other weights; everything before a step stays as it was."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor

from regard.model.attention import Steering
from regard.model.autoregression import Prefixes, advance
from regard.model.checkpoint import AnyModel
from regard.model.input_error import InputError
from regard.model.network import fed_tokens
from regard.model.trace import AnyTrace


def standing(model: AnyModel, trace: AnyTrace, steps: Sequence[int]) -> Prefixes:
    """Return the prefixes before given steps (from 0) of a trace; a step may repeat; a Transformer takes only one.
    Raises InputError if another model made the trace."""
    check_maker(model, trace)
    return Prefixes(fed_tokens(trace)[list(steps)], *model.network.resumed(trace, steps))


def retake(model: AnyModel, where: Prefixes, weights: Float[Tensor, "B S"]) -> Float[Tensor, "B V"]:
    """Return each row's logits with these weights replacing its own, in all of its heads."""
    return advance(model.network, where, Steering.to(weights))[1]


def check_maker(model: AnyModel, trace: AnyTrace) -> None:
    if trace.maker.fingerprint != model.fingerprint:
        raise InputError(f"the trace was made by {trace.maker.name}, not by this {model.name}; translate again with it")
