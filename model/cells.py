"""One recurrent step with its gates in the open, and the same cell run over a whole sequence by PyTorch's own kernel.

LSTM, Hochreiter and Schmidhuber (1997) with forget gates:     GRU, Cho et al. (2014) as PyTorch computes it:
    i, f, o = σ(W x + b + U h + d)    g = tanh(…)                  r, z = σ(W x + b + U h + d)
    c = f ⊙ c + i ⊙ g                                              n = tanh(W x + b + r ⊙ (U h + d))
    h = o ⊙ tanh(c)                                                h = (1 − z) ⊙ n + z ⊙ h
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import linear


class Recurrent(NamedTuple):
    """What a cell carries from step to step: its state, and its cell state (no components for a GRU)."""

    state: Float[Tensor, "B H"]
    cell: Float[Tensor, "B C"]


class LSTM(nn.Module):
    gates = ("input", "forget", "candidate", "output")

    def __init__(self, inputs: int, state: int) -> None:
        super().__init__()
        self.rnn = nn.LSTM(inputs, state, batch_first=True)
        self.cell_size = state

    def step(self, inputs: Float[Tensor, "B X"], carried: Recurrent) -> tuple[Recurrent, Float[Tensor, "B G H"]]:
        rnn = self.rnn
        sums = linear(inputs, rnn.weight_ih_l0, rnn.bias_ih_l0) + linear(carried.state, rnn.weight_hh_l0, rnn.bias_hh_l0)
        size = carried.state.shape[1]
        opened = torch.sigmoid(sums).view(-1, 4, size)
        candidate = torch.tanh(sums[:, 2 * size : 3 * size])
        cell = opened[:, 1] * carried.cell + opened[:, 0] * candidate
        gates = torch.cat([opened[:, :2], candidate.unsqueeze(1), opened[:, 3:]], dim=1)
        return Recurrent(opened[:, 3] * torch.tanh(cell), cell), gates

    def run(self, inputs: Float[Tensor, "B N X"], carried: Recurrent) -> Float[Tensor, "B N H"]:
        return self.rnn(inputs, (carried.state.unsqueeze(0), carried.cell.unsqueeze(0)))[0]


class GRU(nn.Module):
    gates = ("reset", "update", "candidate")

    def __init__(self, inputs: int, state: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(inputs, state, batch_first=True)
        self.cell_size = 0

    def step(self, inputs: Float[Tensor, "B X"], carried: Recurrent) -> tuple[Recurrent, Float[Tensor, "B G H"]]:
        rnn = self.rnn
        size = carried.state.shape[1]
        given = linear(inputs, rnn.weight_ih_l0, rnn.bias_ih_l0).view(-1, 3, size)
        kept = linear(carried.state, rnn.weight_hh_l0, rnn.bias_hh_l0).view(-1, 3, size)
        opened = torch.sigmoid(given[:, :2] + kept[:, :2])
        candidate = torch.tanh(given[:, 2] + opened[:, 0] * kept[:, 2])
        state = (1 - opened[:, 1]) * candidate + opened[:, 1] * carried.state
        return Recurrent(state, carried.cell), torch.cat([opened, candidate.unsqueeze(1)], dim=1)

    def run(self, inputs: Float[Tensor, "B N X"], carried: Recurrent) -> Float[Tensor, "B N H"]:
        return self.rnn(inputs, carried.state.unsqueeze(0))[0]


CELLS: dict[str, type[LSTM] | type[GRU]] = {"lstm": LSTM, "gru": GRU}
