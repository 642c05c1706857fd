import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.doubt.reliability import area_under_roc, calibration_error, reliability


def test_the_area_is_the_share_of_pairs_in_the_right_order() -> None:
    """Three of four pairs are in order, and one is a tie."""
    chances, right = np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False])
    assert area_under_roc(chances, right) == pytest.approx(3.5 / 4)
    assert area_under_roc(chances, np.ones(4, dtype=bool)) is None


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=40))
def test_turned_around_the_area_is_what_is_missing_to_1(pairs: list[tuple[float, bool]]) -> None:
    chances, right = np.array([chance for chance, _ in pairs]), np.array([good for _, good in pairs], dtype=bool)
    area = area_under_roc(chances, right)
    if area is not None:
        assert area_under_roc(-chances, right) == pytest.approx(1 - area)


def test_the_error_is_the_mean_distance_of_chance_and_share() -> None:
    chances = np.array([0.25] * 10 + [0.75] * 10)
    right = np.array([True] * 5 + [False] * 5 + [True] * 10)
    bins = reliability(chances, right)
    assert sum(row["sentences"] for row in bins) == 20
    assert [row["chance"] for row in bins] == [0.25] * 5 + [0.75] * 5
    low = sum(abs(row["right"] - 0.25) for row in bins[:5])
    assert calibration_error(bins) == pytest.approx((low + 5 * 0.25) / 10)
