"""Recurrent cells, LSTM and GRU: one step with its gates exposed, or a whole sequence by PyTorch's own kernel.

LSTM, Hochreiter and Schmidhuber (1997) with forget gates:     GRU, Cho et al. (2014) as PyTorch computes it:
    i, f, o = σ(W x + b + U h + d)    g = tanh(…)                  r, z = σ(W x + b + U h + d)
    c = f ⊙ c + i ⊙ g                                              n = tanh(W x + b + r ⊙ (U h + d))
    h = o ⊙ tanh(c)                                                h = (1 − z) ⊙ n + z ⊙ h
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.model.linear import linear


class Recurrent(NamedTuple):
    """The values a cell carries from step to step: state and cell state (no components for a GRU)."""

    state: Float[Tensor, "B H"]
    cell: Float[Tensor, "B C"]


class LSTM(nn.Module):
    gates = ("input", "forget", "candidate", "output")

    def __init__(self, inputs: int, state: int) -> None:
        super().__init__()
        self.rnn = nn.LSTM(inputs, state, batch_first=True)
        self.cell_size = state

    def step(self, inputs: Float[Tensor, "B X"], carried: Recurrent) -> tuple[Recurrent, Float[Tensor, "B G H"]]:
        W, U, b, d = self.rnn.all_weights[0]
        given, kept = linear(inputs, W, b), linear(carried.state, U, d)
        i, f, g, o = (given + kept).view(-1, 4, self.cell_size).unbind(1)
        i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
        cell = f * carried.cell + i * g
        return Recurrent(o * torch.tanh(cell), cell), torch.stack([i, f, g, o], dim=1)

    def run(self, inputs: Float[Tensor, "B N X"], carried: Recurrent) -> Float[Tensor, "B N H"]:
        return self.rnn(inputs, (carried.state.unsqueeze(0), carried.cell.unsqueeze(0)))[0]


class GRU(nn.Module):
    gates = ("reset", "update", "candidate")

    def __init__(self, inputs: int, state: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(inputs, state, batch_first=True)
        self.cell_size = 0

    def step(self, inputs: Float[Tensor, "B X"], carried: Recurrent) -> tuple[Recurrent, Float[Tensor, "B G H"]]:
        W, U, b, d = self.rnn.all_weights[0]
        size = carried.state.shape[1]
        given, kept = linear(inputs, W, b).view(-1, 3, size), linear(carried.state, U, d).view(-1, 3, size)
        r, z = torch.sigmoid(given[:, :2] + kept[:, :2]).unbind(1)
        n = torch.tanh(given[:, 2] + r * kept[:, 2])
        state = (1 - z) * n + z * carried.state
        return Recurrent(state, carried.cell), torch.stack([r, z, n], dim=1)

    def run(self, inputs: Float[Tensor, "B N X"], carried: Recurrent) -> Float[Tensor, "B N H"]:
        return self.rnn(inputs, carried.state.unsqueeze(0))[0]


CELLS: dict[str, type[LSTM] | type[GRU]] = {"lstm": LSTM, "gru": GRU}
