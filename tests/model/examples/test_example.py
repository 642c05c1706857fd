"""A worked example runs on what fits it, and names what does not: the matrix, the place and what is accepted."""

from dataclasses import replace

import numpy as np
import pytest

from regard.model.examples.example import FARTHEST, Array
from regard.model.examples.transformer import MASKED
from regard.model.examples.tutorials import LUONG_GENERAL


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("q", np.zeros(2), r"q has shape 2; 3 is needed"),
        ("W", np.zeros((3, 4)), r"q has shape 3; 4 is needed"),
        ("W", np.zeros(3), r"W has 1 axes; 2 are needed"),
        ("W_c", np.zeros((3, 5)), r"W_c has shape 3 × 5; 3 × 6 is needed"),
        ("H", np.zeros((9, 3)), r"H has shape 9 × 3; accepted is 1 to 8 of each"),
        ("H", np.zeros((0, 3)), r"H has shape 0 × 3; accepted is 1 to 8 of each"),
        ("q", np.array([0.0, np.nan, 0.0]), r"q \(2,\) is nan; accepted is a number from −1000 to 1000"),
        ("H", np.full((3, 3), np.inf), r"H \(1, 1\) is inf; accepted is a number from −1000 to 1000"),
        ("q", np.array([0.0, 0.0, -FARTHEST - 1]), r"q \(3,\) is -1001; accepted"),
        ("divisor", np.array(0.0), r"divisor is 0; accepted is a number from 0.001 to 1000"),
        ("divisor", np.zeros(1), r"divisor has 1 axes; 0 are needed"),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(name: str, array: Array, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LUONG_GENERAL.run(LUONG_GENERAL.matrices() | {name: array})


def test_the_same_seed_draws_the_same_matrices_and_a_number_stays() -> None:
    sizes = {"S": 4, "E": 2, "H": 5, "V": 1}
    one, other = LUONG_GENERAL.random(sizes, 7), LUONG_GENERAL.random(sizes, 7)
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert one["W_c"].shape == (5, 7)
    assert one["divisor"] == 1
    assert not np.array_equal(one["H"], LUONG_GENERAL.random(sizes, 8)["H"])
    assert all(np.array_equal(array, np.round(array, 1)) for array in one.values())


def test_resized_matrices_keep_the_numbers_that_have_a_place() -> None:
    own = LUONG_GENERAL.matrices()
    larger = LUONG_GENERAL.resized({"S": 4, "E": 3, "H": 3, "V": 2}, 0)
    assert np.array_equal(larger["H"][:3], own["H"])
    assert np.array_equal(larger["W"], own["W"])
    assert np.array_equal(larger["W_o"], own["W_o"][:2])
    LUONG_GENERAL.check(larger)


def test_nobody_can_change_an_examples_own_numbers_for_everybody() -> None:
    with pytest.raises(ValueError, match="read-only"):
        LUONG_GENERAL.matrices()["H"][0, 0] = 9


@pytest.mark.parametrize(
    ("own", "drawn"),
    [
        ([[1, 0], [1, 1]], [[1, 0, 0], [1, 1, 0], [1, 1, 1]]),
        ([[1, 0], [1, 0]], [[1, 0, 0], [1, 0, 0], [1, 1, 1]]),
        ([[1, 1], [1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]]),
        ([[1, 1], [1, 0]], [[1, 1, 1], [1, 0, 1], [1, 1, 1]]),
    ],
)
def test_a_mask_keeps_what_it_hides_when_all_else_is_drawn(own: list[list[int]], drawn: list[list[int]]) -> None:
    *others, mask = MASKED.givens
    example = replace(MASKED, givens=(*others, replace(mask, values=np.array(own, dtype=np.float64))))
    for size, expected in ((2, own), (3, drawn)):
        assert example.random({"S": size, "D": 1, "K": 1, "V": 1}, 1)["mask"].tolist() == expected
