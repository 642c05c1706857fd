"""A worked example runs on what fits it, and names what does not: the matrix, the place and what is accepted."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.examples.entries import grid
from regard.model.examples.example import FARTHEST, MOST_ROWS, Array, fitted
from regard.model.examples.luong_general import LUONG_GENERAL, LUONG_SUMMARY
from regard.model.examples.self_attention import MASKED

PRINTED = {  # as a person gets it with paper and a calculator, to the digits that are shown
    "keys": [[0.65, 0.28, -0.12], [0.42, 0.38, 0.53], [-0.23, 0.10, 0.65]],
    "scores": [0.218, 0.365, 0.147],
    "weights": [0.3236, 0.3749, 0.3015],
    "context": [0.3448, 0.2861, 0.4014],
    "summed": [0.5886, 0.0569, 0.1958],
    "attentional": [0.5289, 0.0568, 0.1934],
}


@pytest.mark.parametrize("name", PRINTED)
def test_i_love_you_comes_out_as_on_paper(name: str) -> None:
    expected = np.array(PRINTED[name])
    digits = max(len(str(number).partition(".")[2]) for number in expected.flat)
    assert np.round(LUONG_GENERAL.run()[name], digits).tolist() == expected.tolist()


def test_the_summary_of_the_same_document_lets_another_word_win() -> None:
    summary = LUONG_SUMMARY.run()
    assert np.round(summary["scores"], 3).tolist() == [-0.187, 0.343, 0.530]
    assert np.round(summary["weights"], 4).tolist() == [0.2106, 0.3579, 0.4315]
    assert LUONG_GENERAL.run()["weights"].argmax() != summary["weights"].argmax()


@settings(max_examples=25)
@given(st.lists(st.integers(1, MOST_ROWS), min_size=4, max_size=4), st.integers(0, 9999))
def test_every_entry_is_its_own_arithmetic_on_random_matrices_of_all_sizes(counts: list[int], seed: int) -> None:
    sizes = dict(zip(LUONG_GENERAL.sizes, counts, strict=True))
    values = LUONG_GENERAL.run(LUONG_GENERAL.random(sizes, seed))
    for step in LUONG_GENERAL.steps:
        for (row, column), value in np.ndenumerate(grid(values[step.name])):
            assert step.making.entry(values, row, column).combined == pytest.approx(value, rel=1e-9, abs=1e-12)


def with_(name: str, array: Array) -> dict[str, Array]:
    return LUONG_GENERAL.matrices() | {name: array}


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
        LUONG_GENERAL.run(with_(name, array))


def test_a_mask_has_zeros_and_ones_and_something_to_see_in_every_row() -> None:
    own = MASKED.matrices()
    with pytest.raises(ValueError, match=r"mask \(1, 1\) is 0.5; accepted is 0 \(hidden\) or 1 \(seen\)"):
        MASKED.run(own | {"mask": np.full((3, 3), 0.5)})
    hidden = own["mask"].copy()
    hidden[1] = 0
    with pytest.raises(ValueError, match="hides every position of row 2"):
        MASKED.run(own | {"mask": hidden})


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


def test_fitting_copies_what_both_have_a_place_for() -> None:
    assert fitted(np.ones((2, 3)), np.zeros((3, 2))).tolist() == [[1, 1], [1, 1], [0, 0]]
    assert fitted(np.array(2.0), np.array(0.0)) == 2


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
