import numpy as np
import pytest

from regard.model.synthetic import small_trainings
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.small_trainings import REPEATED, Repeating, gaps, taught
from regard.model.synthetic.tasks import held_out


def test_a_run_repeats_its_sequences_and_none_of_them_is_held_out() -> None:
    run = Repeating(Setup(shortest=2, longest=6, updates=2, batch=REPEATED))
    drawn = [run._draw()[0].source for _ in range(2)]
    assert (drawn[0] == drawn[1]).all()
    assert len(drawn[0]) == REPEATED
    assert not any(held_out(sequence, run.setup.symbols) for sequence in run.repeated)


def test_a_wide_network_falls_below_the_loss_on_held_out_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_trainings, "WIDTHS", (8, 64))
    narrow, wide = gaps(("general",))
    assert wide.parameters > narrow.parameters
    assert wide.held_out - wide.training > narrow.held_out - narrow.training


def test_both_runs_are_noted_at_the_same_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = tuple(Setup(task="sort", hidden=8, updates=2, teacher_forcing=forcing) for forcing in (1.0, 0.0))
    monkeypatch.setattr(small_trainings, "PAIR", pair)
    truth, own = taught()
    assert [note.update for note in truth] == [note.update for note in own] == [1, 2]
    assert np.isfinite([note.validation for note in (*truth, *own)]).all()
