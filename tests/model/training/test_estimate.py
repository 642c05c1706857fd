from itertools import islice

import pytest
import torch

from regard.model.training.estimate import TIMED, Estimate, duration, estimate
from tests.support.digit_training import OPTIONS, TRAIN, finish, same, train


def test_an_estimate_changes_nothing_of_the_training() -> None:
    measured = train()
    state = torch.get_rng_state()
    estimate(measured)
    assert torch.equal(torch.get_rng_state(), state)
    assert (measured.update, measured.tokens, measured.seconds) == (0, 0, 0.0)
    assert same(finish(measured), finish(train()))


def test_it_counts_parameters_and_the_updates_that_are_left() -> None:
    training = train()
    batches = len(list(TRAIN.batches(OPTIONS.batch_tokens, 1)))
    for left in (12, 7):
        found = estimate(training)
        assert found.parameters == sum(parameter.numel() for parameter in training.network.parameters())
        assert (found.updates, found.epochs, found.timed) == (left, left / batches, min(TIMED, batches))
        list(islice(training.run(), 5))
    finish(training)
    assert (estimate(training).updates, estimate(training).seconds) == (0, 0)


def test_the_time_is_that_of_the_updates_that_are_left_and_the_memory_that_of_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Two seconds an update.
    ticks = iter([10.0, 10.0 + 2.0 * min(TIMED, TRAIN.count(OPTIONS.batch_tokens))])
    monkeypatch.setattr("regard.model.training.estimate.time.perf_counter", lambda: next(ticks))
    found = estimate(train())
    assert found.seconds == 2.0 * OPTIONS.updates
    assert found.memory == 0 or found.memory > 50e6


def test_an_estimate_is_told_as_one() -> None:
    assert Estimate(7_000_000, 8000, 7.84, 4, 4220.0, 1_234_000_000).report() == [
        "7,000,000 parameters; 8,000 updates to make, the text 7.8 times",
        "estimate: about 70 min, 1.2 GB of memory (from 4 updates of a copy, just now on this machine)",
    ]
    assert "memory unknown" in Estimate(1, 1, 1.0, 4, 1.0, 0).report()[1]


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.0, "0 s"), (12.3, "13 s"), (100.0, "2 min"), (5300.0, "88 min"), (9000.0, "2 h 30 min")]
)
def test_a_time_is_told_as_one_says_it(seconds: float, told: str) -> None:
    assert duration(seconds) == f"about {told}"


def test_the_longest_sentences_make_a_batch_that_fits() -> None:
    batch = TRAIN.longest(OPTIONS.batch_tokens)
    assert batch.source.numel() + batch.target.numel() <= OPTIONS.batch_tokens
    assert batch.source.shape[1] == TRAIN.lengths[:, 0].max()
