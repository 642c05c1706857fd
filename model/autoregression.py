"""Autoregressive decoding in a single loop: feed a token, take a decoder step, choose the next token, feed it.

    step_t, carried_t = step(y_{t-1}, carried_{t-1})     y_t = choose(t, logits_t)     y_0 = <s>

Greedy decoding, sampling, forced decoding, scheduled sampling and leaving a token out differ only in how they choose
and when they stop. Beam search keeps different rows after each step, so it rebuilds its prefixes. `standing` and
`retake` replay steps of a trace with other weights; everything before a step stays as it was.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.model.attention import NO_STEERING, Steering
from regard.model.checkpoint import AnyModel
from regard.model.input_error import InputError
from regard.model.network import AnyMemory, AnyNetwork, AnyStep, fed_tokens
from regard.model.tokenizer import START, STOP
from regard.model.trace import AnyTrace

Choice = Callable[[int, Float[Tensor, "B V"]], Int[Tensor, " B"]]  # next tokens, from step and logits
Steered = Callable[[int], Steering]  # from the step number


class Prefixes(NamedTuple):
    """Target prefixes decoded side by side, one per row: all the decoder knows before its next step."""

    fed: Int[Tensor, " B"]  # the last token of each prefix
    carried: Any  # both are created by the network
    memory: Any


class Decoded(NamedTuple):
    """One decoder step: its numbers, its logits and the chosen tokens."""

    step: AnyStep
    logits: Float[Tensor, "B V"]
    tokens: Int[Tensor, " B"]


def empty(network: AnyNetwork, memory: AnyMemory) -> Prefixes:
    """Return the prefixes before the first step: nothing written, `<s>` to be fed."""
    fed = torch.full((len(memory.mask),), START, device=memory.mask.device)
    return Prefixes(fed, network.start(memory), memory)


def advance(
    network: AnyNetwork, prefixes: Prefixes, steering: Steering = NO_STEERING
) -> tuple[AnyStep, Float[Tensor, "B V"]]:
    """Take one decoder step and compute the logits of the next token."""
    step = network.step(*prefixes, steering)
    return step, network.logits(step.attentional)


def likeliest(step: int, logits: Float[Tensor, "B V"]) -> Int[Tensor, " B"]:
    """Choose greedily; `<pad>` and `<s>` are never chosen."""
    return logits[:, STOP:].argmax(-1) + STOP


def unsteered(step: int) -> Steering:
    return NO_STEERING


def decoder_steps(
    network: AnyNetwork, memory: AnyMemory, choose: Choice = likeliest, steering: Steered = unsteered
) -> Iterator[Decoded]:
    """Yield decoder steps without end, whatever is chosen; the caller stops. Works with and without gradients."""
    prefixes = empty(network, memory)
    for number in count():
        step, logits = advance(network, prefixes, steering(number))
        tokens = choose(number, logits).to(logits.device)
        yield Decoded(step, logits, tokens)
        prefixes = Prefixes(tokens, step.carried, memory)


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
