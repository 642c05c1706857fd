from pathlib import Path

import pytest

from regard.model.autoregression import likeliest
from regard.model.synthetic import exposure_bias
from regard.model.synthetic.exposure_bias import SEEDS, Exposure, recorded
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import batch, sample
from regard.model.transformer.checkpoint import build
from regard.pretrained.recipe.exposure import measure, share_right, write


def test_after_the_right_numbers_the_share_is_that_of_one_forward_pass() -> None:
    network = build(Setup(task="sort", longest=4, hidden=8).config()).eval()
    drawn = batch("sort", sample(4, 10, 20))
    right = likeliest(0, network(drawn.source, drawn.target)) == drawn.target.flatten()
    assert share_right(network, drawn.source, drawn.target, True) == float(right.float().mean())


def test_a_network_that_learned_little_loses_nothing_it_does_not_have() -> None:
    found = measure(1, 1.0, Setup(task="sort", longest=3, hidden=8, updates=2))
    assert 0 <= found.after_own <= 1
    assert found.lost == pytest.approx(found.after_right - found.after_own)


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = (Exposure(1, 1.0, 0.7, 0.6), Exposure(1, 0.0, 0.65, 0.6))
    write(runs, tmp_path / "exposure_bias.toml")
    monkeypatch.setattr(exposure_bias, "__file__", str(tmp_path / "exposure_bias.py"))
    assert recorded() == runs


def test_every_seed_is_recorded_with_and_without_teacher_forcing() -> None:
    assert sorted((run.seed, run.teacher_forcing) for run in recorded()) == [(s, f) for s in SEEDS for f in (0.0, 1.0)]
