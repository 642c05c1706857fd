from math import log

import numpy as np
import pytest

from regard.model.decoding.beam_score import LEAST, STRONGEST, WIDEST, BeamSettings, coverage_penalty, length_penalty

EVERYWHERE = np.array([True, True, True])


def test_length_normalisation_is_that_of_wu_and_others() -> None:
    assert length_penalty(1) == 1
    assert length_penalty(7) == pytest.approx(2**0.6)
    assert length_penalty(7, alpha=0.0) == 1
    assert length_penalty(13, alpha=1.0) == 3


def test_coverage_is_lost_where_a_source_token_gets_less_than_1() -> None:
    covered = np.array([[0.5, 1.5, 0.25], [1.0, 1.0, 1.0]])
    assert coverage_penalty(covered, EVERYWHERE) == pytest.approx([log(1 / 8), 0])


def test_a_source_token_that_got_nothing_counts_as_the_least() -> None:
    assert coverage_penalty(np.array([0.0, 1.0, LEAST / 2]), EVERYWHERE) == pytest.approx(2 * log(LEAST))


def test_a_source_token_that_cannot_be_looked_at_does_not_count() -> None:
    assert coverage_penalty(np.array([0.5, 0.0, 1.0]), np.array([True, False, True])) == pytest.approx(log(0.5))


def test_a_score_is_the_normalised_log_probability_and_the_weighted_coverage_penalty() -> None:
    covering = coverage_penalty(np.array([0.5, 1.5, 0.25]), EVERYWHERE)
    assert BeamSettings(alpha=0.6, coverage=0.2).score(-3.0, 7, covering) == pytest.approx(
        -3 / 2**0.6 + 0.2 * log(1 / 8)
    )
    assert BeamSettings(alpha=0.0).score(-3.0, 7, covering) == -3
    both = BeamSettings(alpha=1.0, coverage=1.0).score(np.array([-3.0, -6.0]), 13, np.array([0.0, -2.0]))
    assert both.tolist() == [-1, -4]


@pytest.mark.parametrize("width", [0, -1, WIDEST + 1])
def test_an_impossible_width_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"the width of the beam is {width}; it must be from 1 to {WIDEST}"):
        BeamSettings(width)


@pytest.mark.parametrize("value", [-0.1, STRONGEST + 0.1, float("nan"), float("inf")])
def test_an_impossible_penalty_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=f"alpha, the length normalisation, is {value}; it must be from 0 to 2"):
        BeamSettings(alpha=value)
    with pytest.raises(ValueError, match=f"the coverage penalty is {value}; it must be from 0 to 2"):
        BeamSettings(coverage=value)
