"""The conditions under which two recordings of training count as the same."""

import numpy as np

from regard.model.training.snapshots import Snapshots


def assert_same(one: Snapshots, other: Snapshots) -> None:
    """Equal to the bit."""
    assert one.pairs == other.pairs
    assert len(one.moments) == len(other.moments)
    for mine, theirs in zip(one.moments, other.moments, strict=True):
        assert (mine.update, mine.log_probabilities, mine.translations) == (
            theirs.update,
            theirs.log_probabilities,
            theirs.translations,
        )
        assert all(np.array_equal(rows, again) for rows, again in zip(mine.weights, theirs.weights, strict=True))
