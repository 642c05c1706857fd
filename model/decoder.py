"""One step of the decoder: the token fed in, the state, what it looks at, and the distribution over the next token.

Luong et al. (2015), section 3 and equation 5. The current state asks, the context joins it after:

    s_t = RNN(y_{t-1}, s_{t-1})     e_ti = score(s_t, h_i)     α_t = softmax(e_t)     c_t = Σ_i α_ti h_i
    h̃_t = tanh(W_c [c_t ; s_t])     p_t = softmax(W_o h̃_t)

With input feeding (section 3.3) the RNN reads [y_{t-1} ; h̃_{t-1}].
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from model.attention import NO_STEERING, Steering, contexts, steer, weigh
from model.cells import CELLS, Recurrent
from model.scores import SCORES


class Memory(NamedTuple):
    """A source sentence as the decoder sees it."""

    annotations: Float[Tensor, "B S E"]
    keys: Float[Tensor, "B S Q"]
    mask: Bool[Tensor, "B S"]  # true where there is a token


class Carried(NamedTuple):
    """What the decoder takes from one step to the next."""

    recurrent: Recurrent
    attentional: Float[Tensor, "B A"]


class Step(NamedTuple):
    """Every number of one decoder step but the output distribution, which `Seq2Seq.logits` draws from `attentional`."""

    gates: Float[Tensor, "B G H"]
    state: Float[Tensor, "B H"]
    cell: Float[Tensor, "B C"]
    own_scores: Float[Tensor, "B S"]  # the model's, before a person's changes
    scores: Float[Tensor, "B S"]
    mask: Bool[Tensor, "B S"]
    weights: Float[Tensor, "B S"]
    context: Float[Tensor, "B E"]
    attentional: Float[Tensor, "B A"]

    @property
    def carried(self) -> Carried:
        return Carried(Recurrent(self.state, self.cell), self.attentional)


class LuongWiring(nn.Module):
    """The current state asks."""

    def __init__(
        self, cell: str, score: str, embedding: int, annotation: int, state: int, attentional: int, input_feeding: bool
    ) -> None:
        super().__init__()
        self.cell = CELLS[cell](embedding + attentional * input_feeding, state)
        self.score = SCORES[score](state, annotation)
        self.W_c = nn.Linear(annotation + state, attentional, bias=False)
        self.input_feeding = input_feeding

    def step(
        self, fed: Float[Tensor, "B D"], carried: Carried, memory: Memory, steering: Steering = NO_STEERING
    ) -> Step:
        inputs = torch.cat([fed, carried.attentional], dim=-1) if self.input_feeding else fed
        recurrent, gates = self.cell.step(inputs, carried.recurrent)
        own = self.score(recurrent.state.unsqueeze(1), memory.keys).squeeze(1)
        scores, mask, weights = steer(own, memory.mask, steering)
        context = contexts(weights.unsqueeze(1), memory.annotations).squeeze(1)
        attentional = torch.tanh(self.W_c(torch.cat([context, recurrent.state], dim=-1)))
        return Step(gates, recurrent.state, recurrent.cell, own, scores, mask, weights, context, attentional)

    def forward(self, fed: Float[Tensor, "B T D"], carried: Carried, memory: Memory) -> Float[Tensor, "B T A"]:
        """Attentional vectors of all steps at once, for training; the same numbers that `step` gives one by one."""
        if self.input_feeding:
            return self._one_by_one(fed, carried, memory)
        states = self.cell.run(fed, carried.recurrent)
        weights = weigh(self.score(states, memory.keys), memory.mask.unsqueeze(1))
        return torch.tanh(self.W_c(torch.cat([contexts(weights, memory.annotations), states], dim=-1)))

    def _one_by_one(self, fed: Float[Tensor, "B T D"], carried: Carried, memory: Memory) -> Float[Tensor, "B T A"]:
        vectors = []
        for token in fed.unbind(1):
            step = self.step(token, carried, memory)
            carried = step.carried
            vectors.append(step.attentional)
        return torch.stack(vectors, dim=1)


WIRINGS: dict[str, type[LuongWiring]] = {"luong": LuongWiring}
