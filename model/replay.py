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
    """Before each of some steps of a trace, counted from 0; one may come more than once, in a Transformer one alone.

    Raises InputError when another model made the trace.
    """
    check_maker(model, trace)
    return Prefixes(fed_tokens(trace)[list(steps)], *model.network.resumed(trace, steps))


def retake(model: AnyModel, where: Prefixes, weights: Float[Tensor, "B S"]) -> Float[Tensor, "B V"]:
    """The logits that each row gives with these weights in place of its own, in all of its heads."""
    return advance(model.network, where, Steering.to(weights))[1]


def check_maker(model: AnyModel, trace: AnyTrace) -> None:
    if trace.maker.fingerprint != model.fingerprint:
        raise InputError(f"the trace was made by {trace.maker.name}, not by this {model.name}; translate again with it")
