import math

import pytest
import torch
from torch import Tensor

from regard.model.cells import CELLS, GRU, LSTM, Recurrent


@pytest.fixture(params=CELLS)
def cell(request: pytest.FixtureRequest) -> LSTM | GRU:
    torch.manual_seed(0)
    return CELLS[request.param](3, 4).double()


def start(cell: LSTM | GRU) -> Recurrent:
    state = torch.randn(2, 4, dtype=torch.float64)
    return Recurrent(state, torch.randn(2, cell.cell_size, dtype=torch.float64))


def step_by_step(cell: LSTM | GRU, inputs: Tensor, carried: Recurrent) -> Tensor:
    states = []
    for item in inputs.unbind(1):
        carried, _ = cell.step(item, carried)
        states.append(carried.state)
    return torch.stack(states, dim=1)


def test_steps_give_the_states_of_pytorch_s_own_run(cell: LSTM | GRU) -> None:
    inputs, carried = torch.randn(2, 5, 3, dtype=torch.float64), start(cell)
    assert torch.allclose(step_by_step(cell, inputs, carried), cell.run(inputs, carried), atol=1e-12)


def test_steps_give_the_gradients_of_pytorch_s_own_run(cell: LSTM | GRU) -> None:
    inputs, carried = torch.randn(2, 5, 3, dtype=torch.float64, requires_grad=True), start(cell)
    wanted = [inputs, *cell.parameters()]
    stepped = torch.autograd.grad(step_by_step(cell, inputs, carried).square().sum(), wanted)
    run = torch.autograd.grad(cell.run(inputs, carried).square().sum(), wanted)
    assert all(torch.allclose(one, other, atol=1e-12) for one, other in zip(stepped, run, strict=True))


@pytest.mark.parametrize(("cell", "state"), [(LSTM(1, 1), 0.5 * math.tanh(0.5)), (GRU(1, 1), 0.5)])
def test_without_weights_every_gate_is_half_open(cell: LSTM | GRU, state: float) -> None:
    for parameter in cell.parameters():
        parameter.data.zero_()
    after, _ = cell.step(torch.ones(1, 1), Recurrent(torch.ones(1, 1), torch.ones(1, cell.cell_size)))
    assert after.state.item() == pytest.approx(state)
