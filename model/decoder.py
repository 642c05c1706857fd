"""Decoder, one step: the token fed in, the state, the attention, and the distribution over the next token.

Luong et al. (2015), section 3 and equation 5. The current state asks, the context joins it after:

    s_t = RNN(y_{t-1}, s_{t-1})     e_ti = score(s_t, h_i)     α_t = softmax(e_t)     c_t = Σ_i α_ti h_i
    h̃_t = tanh(W_c [c_t ; s_t])     p_t = softmax(W_o h̃_t)

With input feeding (section 3.3) the RNN reads [y_{t-1} ; h̃_{t-1}].

Bahdanau et al. (2015), section 3.1. The previous state asks, and the RNN reads what was found:

    e_ti = score(s_{t-1}, h_i)      α_t = softmax(e_t)     c_t = Σ_i α_ti h_i     s_t = RNN([y_{t-1} ; c_t], s_{t-1})
    h̃_t = tanh(W_c [c_t ; s_t])     p_t = softmax(W_o h̃_t)
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from regard.model.attention import NO_STEERING, Steering, contexts, steer, weigh
from regard.model.cells import CELLS, Recurrent
from regard.model.linear import linear
from regard.model.scores import SCORES


class Memory(NamedTuple):
    """The decoder's view of a source sentence."""

    annotations: Float[Tensor, "B S E"]
    keys: Float[Tensor, "B S Q"]
    mask: Bool[Tensor, "B S"]  # true at tokens, false at padding


class Carried(NamedTuple):
    """The values the decoder carries from one step to the next."""

    recurrent: Recurrent
    attentional: Float[Tensor, "B A"]


class Attended(NamedTuple):
    """The result of attending to the source once."""

    own_scores: Float[Tensor, "B S"]
    scores: Float[Tensor, "B S"]
    mask: Bool[Tensor, "B S"]
    weights: Float[Tensor, "B S"]
    context: Float[Tensor, "B E"]


class DecoderStep(NamedTuple):
    """Every number of one decoder step except the output distribution, which `Seq2Seq.logits` computes."""

    gates: Float[Tensor, "B G H"]
    state: Float[Tensor, "B H"]
    cell: Float[Tensor, "B C"]
    own_scores: Float[Tensor, "B S"]  # by the model, before a person's changes
    scores: Float[Tensor, "B S"]
    mask: Bool[Tensor, "B S"]
    weights: Float[Tensor, "B S"]
    context: Float[Tensor, "B E"]
    attentional: Float[Tensor, "B A"]

    @property
    def carried(self) -> Carried:
        return Carried(Recurrent(self.state, self.cell), self.attentional)


class Wiring(nn.Module, ABC):
    """The order in which a step attends and updates its state; `forward` takes all steps at once, for training."""

    input_feeding = False

    def __init__(self, cell: str, inputs: int, score: str, annotation: int, state: int, attentional: int) -> None:
        super().__init__()
        self.cell = CELLS[cell](inputs, state)
        self.score = SCORES[score](state, annotation)
        self.W_c = nn.Linear(annotation + state, attentional, bias=False)

    @abstractmethod
    def step(
        self, fed: Float[Tensor, "B D"], carried: Carried, memory: Memory, steering: Steering = NO_STEERING
    ) -> DecoderStep: ...

    def forward(self, fed: Float[Tensor, "B T D"], carried: Carried, memory: Memory) -> Float[Tensor, "B T A"]:
        """Return the attentional vectors of all steps at once, for training; equal to those of `step`, one by one."""
        vectors = []
        for token in fed.unbind(1):
            step = self.step(token, carried, memory)
            carried = step.carried
            vectors.append(step.attentional)
        return torch.stack(vectors, dim=1)

    def look(self, asking: Float[Tensor, "B H"], memory: Memory, steering: Steering) -> Attended:
        """Attend to the source with the state `asking` as the query."""
        own = self.score(asking.unsqueeze(1), memory.keys).squeeze(1)
        scores, mask, weights = steer(own, memory.mask, steering)
        context = contexts(weights.unsqueeze(1), memory.annotations).squeeze(1)
        return Attended(own, scores, mask, weights, steering.vectors("context", context))

    def join(self, context: Float[Tensor, "*B E"], state: Float[Tensor, "*B H"]) -> Float[Tensor, "*B A"]:
        """Return the attentional vector h̃, which the output layer reads."""
        return torch.tanh(linear(torch.cat([context, state], dim=-1), self.W_c.weight))


class LuongWiring(Wiring):
    """Luong's order: the current state asks."""

    def __init__(
        self, cell: str, score: str, embedding: int, annotation: int, state: int, attentional: int, input_feeding: bool
    ) -> None:
        super().__init__(cell, embedding + attentional * input_feeding, score, annotation, state, attentional)
        self.input_feeding = input_feeding

    def step(
        self, fed: Float[Tensor, "B D"], carried: Carried, memory: Memory, steering: Steering = NO_STEERING
    ) -> DecoderStep:
        inputs = torch.cat([fed, carried.attentional], dim=-1) if self.input_feeding else fed
        (state, cell), gates = self.cell.step(inputs, carried.recurrent)
        state = steering.vectors("state", state)
        look = self.look(state, memory, steering)
        return DecoderStep(gates, state, cell, *look, steering.vectors("attentional", self.join(look.context, state)))

    def forward(self, fed: Float[Tensor, "B T D"], carried: Carried, memory: Memory) -> Float[Tensor, "B T A"]:
        """Return all attentional vectors; without input feeding, no step waits for the attention of the one before."""
        if self.input_feeding:
            return super().forward(fed, carried, memory)
        states = self.cell.run(fed, carried.recurrent)
        weights = weigh(self.score(states, memory.keys), memory.mask.unsqueeze(1))
        return self.join(contexts(weights, memory.annotations), states)


class BahdanauWiring(Wiring):
    """Bahdanau's order: the previous state asks, and the RNN reads the context together with the token. h̃ is the input
    of the output layer. Bahdanau's own (A.2.2) is a maxout over sums of s_{t-1}, y_{t-1} and c_t; here it is tanh(W_c
    [c_t ; s_t]) as in Luong's wiring. With the same score, two models then differ only in which state asks and in
    whether the RNN reads the context."""

    def __init__(
        self, cell: str, score: str, embedding: int, annotation: int, state: int, attentional: int, input_feeding: bool
    ) -> None:
        super().__init__(cell, embedding + annotation, score, annotation, state, attentional)  # never input feeding

    def step(
        self, fed: Float[Tensor, "B D"], carried: Carried, memory: Memory, steering: Steering = NO_STEERING
    ) -> DecoderStep:
        look = self.look(carried.recurrent.state, memory, steering)
        (state, cell), gates = self.cell.step(torch.cat([fed, look.context], dim=-1), carried.recurrent)
        state = steering.vectors("state", state)
        return DecoderStep(gates, state, cell, *look, steering.vectors("attentional", self.join(look.context, state)))


WIRINGS: dict[str, type[LuongWiring] | type[BahdanauWiring]] = {"luong": LuongWiring, "bahdanau": BahdanauWiring}
