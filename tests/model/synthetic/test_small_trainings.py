import pytest

from regard.model.synthetic import small_trainings
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.small_trainings import REPEATED, Repeating, gaps


def test_a_run_repeats_its_sequences() -> None:
    run = Repeating(Setup(shortest=2, longest=6, updates=2, batch=REPEATED))
    drawn = [run._draw()[0].source for _ in range(2)]
    assert (drawn[0] == drawn[1]).all()
    assert len(drawn[0]) == REPEATED


def test_a_wide_network_falls_below_the_loss_on_held_out_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_trainings, "WIDTHS", (8, 64))
    *_, narrow, wide = gaps()
    assert wide.parameters > narrow.parameters
    assert wide.held_out - wide.training > narrow.held_out - narrow.training
