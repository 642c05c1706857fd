from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.analysis.attention_statistics import coverage, entropy, soft_alignment_scores

IDENTITY, UNIFORM = np.eye(5), np.full((5, 5), 0.2)
STARING = np.tile(np.eye(5)[4], (5, 1))  # every row at the last source token


def confidence(weights: np.ndarray) -> float:
    return soft_alignment_scores(weights).confidence


@pytest.mark.parametrize(("weights", "expected"), [(IDENTITY, 1), (UNIFORM, 0.5957), (STARING, 0.7243)])
def test_confidence_is_that_of_the_published_program(weights: np.ndarray, expected: float) -> None:
    assert confidence(weights) == pytest.approx(expected, abs=5e-5)


def test_confidence_of_one_row_is_that_worked_out_by_hand() -> None:
    # coverage .75 and .25: ln(1 + .25^6) and ln(1 + .75^6); out: .75 ln .75 + .25 ln .25; in: each column is one share
    deviation = -(log(1 + 0.25**6) + log(1 + 0.75**6)) / 2
    outwards = 0.75 * log(0.75) + 0.25 * log(0.25)
    assert confidence(np.array([[0.75, 0.25]])) == pytest.approx(exp(-0.05 * (deviation + outwards) ** 2))


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=6))
def test_confidence_lies_between_0_and_1_and_knows_no_order(rows: list[list[float]]) -> None:
    weights = np.array(rows) + 1e-6
    weights /= weights.sum(1, keepdims=True)
    found = confidence(weights)
    assert 0 < found <= 1
    assert confidence(weights[::-1, [2, 0, 1]]) == pytest.approx(found)
    assert (entropy(weights) <= log(3) + 1e-9).all()
    assert coverage(weights).sum() == pytest.approx(len(weights))
