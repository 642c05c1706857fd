import pytest

from regard.model.synthetic import small_trainings
from regard.model.synthetic.small_trainings import gaps


def test_a_wide_network_falls_below_the_loss_on_held_out_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_trainings, "WIDTHS", (8, 64))
    *_, narrow, wide = gaps()
    assert wide.parameters > narrow.parameters
    assert wide.held_out - wide.training > narrow.held_out - narrow.training
