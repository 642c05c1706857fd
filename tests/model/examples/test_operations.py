import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy import ndarray

from regard.model.examples.operations import Concat, Masked, Operation, Product, Softmax, Sum, Tanh, Values, grid
from regard.model.reference.formulas import softmax

sizes = st.integers(1, 6)
numbers = st.floats(-50, 50)


def matrix(rows: int, columns: int) -> st.SearchStrategy[ndarray]:
    return arrays.arrays(np.float64, (rows, columns), elements=numbers)


def vector(size: int) -> st.SearchStrategy[ndarray]:
    return arrays.arrays(np.float64, size, elements=numbers)


def check(operation: Operation, values: Values, result: ndarray) -> None:
    """Its line of NumPy makes the result, and every entry's arithmetic makes the entry, from cells that are in the
    matrices drawn before it."""
    operands = operation.operands(values)
    assert eval(operation.numpy, {"np": np, "softmax": softmax}, dict(values)) == pytest.approx(result, abs=1e-12)
    for (row, column), value in np.ndenumerate(grid(result)):
        entry = operation.entry(values, row, column)
        assert entry.combined == pytest.approx(value, rel=1e-9, abs=1e-9)
        for cell in entry.cells:
            grid(values[operands[cell.operand].name])[cell.row, cell.column]


@settings(max_examples=50)
@given(sizes, sizes, sizes, st.data())
def test_a_product_of_matrices(rows: int, inner: int, columns: int, data: st.DataObject) -> None:
    left, right = data.draw(matrix(rows, inner)), data.draw(matrix(inner, columns))
    check(Product("left", "right"), {"left": left, "right": right}, left @ right)
    check(Product("left", "right", transposed=True), {"left": left, "right": right.T}, left @ right)


@settings(max_examples=50)
@given(sizes, sizes, st.floats(0.01, 100), st.data())
def test_a_matrix_times_a_vector_and_a_vector_times_a_matrix(
    rows: int, columns: int, divisor: float, data: st.DataObject
) -> None:
    whole, over = data.draw(matrix(rows, columns)), np.array(divisor)
    right, left = data.draw(vector(columns)), data.draw(vector(rows))
    values = {"whole": whole, "right": right, "left": left, "over": over}
    check(Product("whole", "right"), values, whole @ right)
    check(Product("left", "whole"), values, left @ whole)
    check(Product("whole", "right", over="over"), values, whole @ right / over)


@settings(max_examples=50)
@given(sizes, sizes, st.data())
def test_a_softmax_of_rows(rows: int, columns: int, data: st.DataObject) -> None:
    scores = data.draw(matrix(rows, columns))
    check(Softmax("scores"), {"scores": scores}, softmax(scores))
    check(Softmax("scores"), {"scores": scores[0]}, softmax(scores[0]))


@settings(max_examples=50)
@given(sizes, sizes, st.data())
def test_a_softmax_of_masked_scores(rows: int, columns: int, data: st.DataObject) -> None:
    scores = data.draw(matrix(rows, columns))
    mask = data.draw(arrays.arrays(np.float64, (rows, columns), elements=st.sampled_from([0.0, 1.0])))
    mask[:, 0] = 1
    masked = np.where(mask, scores, -np.inf)
    check(Masked("scores", "mask"), {"scores": scores, "mask": mask}, masked)
    check(Softmax("masked"), {"masked": masked}, softmax(masked))


@settings(max_examples=50)
@given(sizes, sizes, sizes, st.data())
def test_tanh_parts_side_by_side_and_parts_added(rows: int, columns: int, more: int, data: st.DataObject) -> None:
    one, other, row = data.draw(matrix(rows, columns)), data.draw(matrix(rows, more)), data.draw(vector(columns))
    check(Tanh("one"), {"one": one}, np.tanh(one))
    check(Concat("one", "other"), {"one": one, "other": other}, np.hstack([one, other]))
    check(Sum("one", "row"), {"one": one, "row": row}, one + row)
    check(Sum("row", "one", "one"), {"one": one, "row": row}, row + one + one)


def test_large_scores_are_taken_off_before_e_is_raised_to_them() -> None:
    entry = Softmax("e").entry({"e": np.array([700.0, 800.0])}, 0, 0)
    assert entry.constant == 800
    assert entry.combined == pytest.approx(math.exp(-100))
    assert Softmax("e").entry({"e": np.array([3.0, 5.0])}, 0, 0).constant == 0


@pytest.mark.parametrize(
    ("operation", "formula"),
    [
        (Product("K", "q", over="d"), "K q / d"),
        (Product("Q", "K", transposed=True), r"Q K^\top"),
        (Product("W", "joined"), r"W\,[q ; c]"),
        (Product("joined", "W"), r"[q ; c]\,W"),
        (Product("alpha", "H"), r"\sum_i \alpha_i h_i"),
        (Softmax("alpha"), r"\mathrm{softmax}(\alpha)"),
        (Concat("q", "c"), "[q ; c]"),
        (Sum("q", "c", "d"), "q + c + d"),
        (Masked("K", "W"), r"K \text{ where } W = 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_formula_follows_from_the_symbols(operation: Operation, formula: str) -> None:
    symbols = {name: name for name in ("K", "q", "d", "Q", "W", "c", "H")} | {"joined": "[q ; c]", "alpha": r"\alpha"}
    assert operation.formula(symbols) == formula
