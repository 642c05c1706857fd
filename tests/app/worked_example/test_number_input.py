import numpy as np
import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from regard.app.worked_example.edits import Mistake, cells, read_cells, read_text, written
from regard.model.examples.example import FARTHEST, Given
from regard.model.examples.transformer import MASKED
from regard.model.examples.tutorials import LUONG_GENERAL
from tests.support.soon import soon

H, W, q, DIVISOR = LUONG_GENERAL.givens[:4]
W_o = LUONG_GENERAL.givens[-1]
MASK = MASKED.givens[-1]


@pytest.mark.parametrize(
    ("typed", "number"),
    [("0.5", 0.5), ("-.5", -0.5), ("−2", -2), ("+3", 3), (" 1e-3 ", 0.001), ("0,25", 0.25), ("7.", 7), ("1000", 1000)],
)
def test_numbers_are_read_as_people_write_them(typed: str, number: float) -> None:
    assert read_cells(q, ((typed, "0", "0"),))[0].tolist() == [number, 0, 0]


@pytest.mark.parametrize(
    "typed",
    ["", " ", "x", "nan", "NaN", "inf", "-Infinity", "∞", "1_0", "1,2,3", "0x1", "٣", "1e400", "1001", "--1", "½"],
)
def test_what_is_no_number_that_is_accepted_is_a_mistake(typed: str) -> None:
    array, mistakes = read_cells(q, (("1", typed, "2"),))
    assert [(mistake.row, mistake.column, mistake.typed) for mistake in mistakes] == [(0, 1, typed)]
    assert array.tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("given", "row", "column", "typed", "text"),
    [
        (H, 1, 1, "x", "row “love”, column 2: “x” is not a number. Enter a number from −1000 to 1000."),
        (W, 0, 2, "2000", "row 1, column 3: “2000” is not accepted. Enter a number from −1000 to 1000."),
        (q, 0, 0, "", "number 1: it is empty. Enter a number from −1000 to 1000."),
        (DIVISOR, 0, 0, "0", "the number: “0” is not accepted. Enter a number from 0.001 to 1000."),
        (MASK, 0, 1, "2", "row “I”, column “love”: “2” is not accepted. Enter 0 (hidden) or 1 (seen)."),
    ],
)  # fmt: skip
def test_a_mistake_names_its_cell_and_what_is_accepted(
    given: Given, row: int, column: int, typed: str, text: str
) -> None:
    assert Mistake(given, row, column, typed).text == text


def test_a_long_mistake_is_told_in_short() -> None:
    assert len(Mistake(q, 0, 0, "x" * 10_000).text) < 150


@hypothesis_given(st.lists(st.floats(-FARTHEST, FARTHEST), min_size=9, max_size=9))
def test_numbers_come_back_from_their_cells_to_the_last_bit(numbers: list[float]) -> None:
    array = np.array(numbers).reshape(3, 3)
    back, mistakes = read_cells(W, cells(array))
    assert mistakes == []
    assert np.array_equal(back, array)


def test_cells_are_as_short_as_the_numbers_allow() -> None:
    assert cells(np.array([[0.3, 2.0], [-0.5, 1e-5]])) == (("0.3", "2"), ("-0.5", "1e-05"))
    assert cells(np.array(1.0)) == (("1",),)


def test_all_matrices_come_back_from_their_text() -> None:
    own = LUONG_GENERAL.matrices()
    back = read_text(LUONG_GENERAL, written(LUONG_GENERAL, own))
    assert {name: array.tolist() for name, array in back.items()} == {name: own[name].tolist() for name in own}
    assert "q = [0.6, -0.4, 0.5]" in written(LUONG_GENERAL, own)


@pytest.mark.parametrize(
    "text",
    ["W = [[1, 2], [3, 4]]", "W = 1 2; 3 4", "W=1,2;3,4", "W = [[1 2]\n [3 4]]", "\n W = [ [1., 2.], [3., 4.] ]\n\n"],
)
def test_a_matrix_may_be_written_in_several_ways(text: str) -> None:
    assert read_text(LUONG_GENERAL, text)["W"].tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q = 1 2", "“Q” is not a matrix of this example; it has H, W, q, divisor, W_c, W_o"),
        ("W = 1 2; 3", "W has 2 rows of 1 and 2 numbers; rows of the same length are accepted"),
        ("W =", "W has 0 rows of no numbers"),
        ("q = 1 2; 3 4", "q has 2 rows of 2 numbers; one row is accepted"),
        ("W = 1 2; 3 nan", "W, row 2, column 2: “nan” is not a number"),
        ("divisor = 1 2", "divisor has 1 rows of 2 numbers; one number is accepted"),
    ],
)
def test_text_that_is_no_matrix_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_text(LUONG_GENERAL, text)


@pytest.mark.parametrize("text", ["]" + "\n" * 7_000, "q = " + "1" * 7_000 + "x", "]\n" * 3_500, "] ," * 2_000])
def test_what_is_no_matrix_is_refused_in_linear_time(text: str) -> None:
    with soon(), pytest.raises(ValueError, match=r"is not a matrix|is not a number"):
        read_text(LUONG_GENERAL, text)


def test_a_cell_of_9000_digits_and_a_letter_is_a_mistake_in_linear_time() -> None:
    with soon():
        assert len(read_cells(DIVISOR, (("1" * 9_000 + "x",),))[1]) == 1


def test_a_text_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(ValueError, match=r"the text has 1,000,000 characters; up to 8,000 are read"):
        read_text(LUONG_GENERAL, "\n" * 1_000_000)
