"""Autoregressive decoding, the one loop of it: a token is fed, the decoder takes a step, what is chosen is fed next.

    step_t, carried_t = step(y_{t-1}, carried_{t-1})     y_t = choose(t, logits_t)     y_0 = <s>

What differs between greedy decoding, sampling, forced decoding, scheduled sampling and leaving a token out is the
choice, and when one stops asking for more. Beam search keeps other rows after each step, so it makes its prefixes anew.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.model.attention import NO_STEERING, Steering
from regard.model.network import AnyMemory, AnyNetwork, AnyStep
from regard.model.tokenizer import START, STOP

Choice = Callable[[int, Float[Tensor, "B V"]], Int[Tensor, " B"]]  # of a token for each row: step, logits
Steered = Callable[[int], Steering]  # by step


class Prefixes(NamedTuple):
    """Target prefixes that are decoded side by side, a row for each: what the decoder knows before its next step."""

    fed: Int[Tensor, " B"]  # the last token of each
    carried: Any  # both as the network makes them
    memory: Any

    def repeated(self, rows: int) -> "Prefixes":
        """One row, as often as that."""
        return Prefixes(self.fed.expand(rows), self.carried.repeated(rows), self.memory.repeated(rows))


class Decoded(NamedTuple):
    """One decoder step: its numbers, its logits and the tokens that were chosen."""

    step: AnyStep
    logits: Float[Tensor, "B V"]
    tokens: Int[Tensor, " B"]


def empty(network: AnyNetwork, memory: AnyMemory) -> Prefixes:
    """Before the first step nothing is written, and `<s>` is fed."""
    fed = torch.full((len(memory.mask),), START, device=memory.mask.device)
    return Prefixes(fed, network.start(memory), memory)


def advance(
    network: AnyNetwork, prefixes: Prefixes, steering: Steering = NO_STEERING
) -> tuple[AnyStep, Float[Tensor, "B V"]]:
    """One decoder step, and the logits of the token after it."""
    step = network.step(*prefixes, steering)
    return step, network.logits(step.attentional)


def likeliest(step: int, logits: Float[Tensor, "B V"]) -> Int[Tensor, " B"]:
    """Greedy decoding; `<pad>` and `<s>` are never taken."""
    return logits[:, STOP:].argmax(-1) + STOP


def unsteered(step: int) -> Steering:
    return NO_STEERING


def decoder_steps(
    network: AnyNetwork, memory: AnyMemory, choose: Choice = likeliest, steering: Steered = unsteered
) -> Iterator[Decoded]:
    """Step after step without end, whatever is chosen; who reads them stops. Works with and without gradients."""
    prefixes = empty(network, memory)
    for number in count():
        step, logits = advance(network, prefixes, steering(number))
        tokens = choose(number, logits)
        yield Decoded(step, logits, tokens)
        prefixes = Prefixes(tokens, step.carried, memory)
