from itertools import pairwise
from pathlib import Path

import pytest

from regard.model.cards.record_files import read_scores
from regard.model.checkpoint import load
from regard.model.synthetic.exact_match import SWEPT, Exact, exact, measure_again, others
from regard.model.synthetic.exact_match import tested as held_out_sample  # pytest would take it for a test
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import batch, pair
from regard.model.synthetic.trainer import Practice
from regard.model.translate import write


# Of 10 sequences: Wilson's interval as tables give it.
@pytest.mark.parametrize(("right", "low", "high"), [(8, 0.4902, 0.9433), (0, 0.0, 0.2775), (10, 0.7225, 1.0)])
def test_the_interval_of_a_share_is_wilson_s(right: int, low: float, high: float) -> None:
    assert Exact(10, right).interval == pytest.approx((low, high), abs=5e-5)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Practice, Path]:
    """A run that reached its goal, and its folder."""
    practice = Practice(Setup(task="copy", longest=3, symbols=4, hidden=32, batch=64, updates=2000, rate=0.01))
    for _ in practice.run():
        pass
    folder = tmp_path_factory.mktemp("learned") / "mine"
    practice.finish(folder, Path("elsewhere/mine"), sweep=True)
    return practice, folder


def test_a_run_ends_when_99_percent_are_exact_at_two_measurements_in_a_row(learned: tuple[Practice, Path]) -> None:
    practice, _ = learned
    shares = [note.exact for note in practice.notes if note.measured]
    assert practice.finished == "99% exact reached"
    assert min(shares[-2:]) >= 0.99
    assert all(min(pair) < 0.99 for pair in pairwise(shares[:-1]))
    assert [progress.update for progress in practice.run()] == []


def test_what_counts_as_exact_is_what_the_finished_model_writes(learned: tuple[Practice, Path]) -> None:
    practice, folder = learned
    loaded, sequences = load(folder), [*held_out_sample(practice.setup), (0,), (3, 3, 3, 3), (1, 2, 3, 0, 1)]
    texts = [pair("copy", sequence) for sequence in sequences]
    right = [text == target for text, (_, target) in zip(write(loaded, [one for one, _ in texts]), texts, strict=True)]
    assert exact(loaded.network, batch("copy", sequences)).tolist() == right
    assert not all(right)  # some are longer than any it was trained on
    assert sum(right) >= 0.95 * len(held_out_sample(practice.setup))


def test_a_finished_model_is_measured_on_sequences_other_than_those_that_ended_its_training() -> None:
    setup = Setup(longest=20)
    ended, reported = held_out_sample(setup), [each for length in range(3, 21) for each in others(setup, length, SWEPT)]
    assert not set(ended) & set(reported)
    assert len(reported) == 18 * SWEPT - (SWEPT - 40)  # of three numbers only 50 are held out, of which 10 ended it
    assert set(others(setup, 2, SWEPT)) <= set(ended)  # there are no others


def test_measuring_again_gives_the_same_scores(learned: tuple[Practice, Path]) -> None:
    assert measure_again(learned[1]) == read_scores(learned[1])
