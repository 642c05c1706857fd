import math

import pytest
import torch

from regard.model.cells import GRU, LSTM, Recurrent


@pytest.mark.parametrize(("cell", "state"), [(LSTM(1, 1), 0.5 * math.tanh(0.5)), (GRU(1, 1), 0.5)])
def test_without_weights_every_gate_is_half_open(cell: LSTM | GRU, state: float) -> None:
    for parameter in cell.parameters():
        parameter.data.zero_()
    after, _ = cell.step(torch.ones(1, 1), Recurrent(torch.ones(1, 1), torch.ones(1, cell.cell_size)))
    assert after.state.item() == pytest.approx(state)
