import math
from decimal import Decimal

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.components.matrices.sums import (
    difference_bound,
    digits,
    fixed,
    places,
    rounds,
    shortest,
    typeset,
    written,
)
from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.example import FARTHEST, Example
from regard.model.examples.operations import Entry, EntryTerm, Masked, MatrixCell, Softmax, Sum, Tanh, grid

EXAMPLES = [example for document in DOCUMENTS for example in document.examples]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


@pytest.mark.parametrize(
    ("value", "after", "shown"),
    [
        (0.30000000000000004, 4, "0.3"),
        (1 / 3, 4, "0.3333"),
        (0.25, 1, "0.2"),
        (-0.0, 2, "0"),
        (5e-17, 4, "0"),
        (2.5e-9, 4, "2.5e-09"),
        (6.4e13, 2, "6.40e+13"),
        (-np.inf, 4, "-inf"),
        (36.0, 4, "36"),
    ],
)
def test_a_number_has_the_fewest_digits_that_say_what_it_is(value: float, after: int, shown: str) -> None:
    assert shortest(value, after) == shown


def test_all_numbers_of_a_matrix_have_the_same_digits() -> None:
    assert places(np.array([[0.3, -1.0]])) == 1
    assert places(np.array([[1.0, 0.0]])) == 0
    assert places(np.array([[0.1 + 0.2, 0.25]])) == 2
    assert places(np.array([[1 / 3, -np.inf]])) == 4


@pytest.mark.parametrize(
    ("number", "shown", "true"),
    [("0.125", "0.12", True), ("0.125", "0.13", True), ("0.1251", "0.12", False), ("2.54e-9", "2.5e-9", True)],
)
def test_a_tie_may_be_rounded_either_way(number: str, shown: str, true: bool) -> None:
    assert rounds(Decimal(number), shown) == true


@pytest.mark.parametrize(
    ("difference", "shown"),
    [
        (4.44e-16, "by at most 5·10⁻¹⁶"),
        (2.0**-52, "by at most 3·10⁻¹⁶"),
        (9.7e-7, "by at most 1·10⁻⁶"),
        (0.5, "by at most 5·10⁻¹"),
        (0.0, "not at all"),
    ],
)
def test_a_difference_is_never_told_smaller_than_it_is(difference: float, shown: str) -> None:
    assert difference_bound(difference) == shown


NUMBERS = st.floats(-FARTHEST, FARTHEST).map(lambda number: round(number, 9))


def redo(entry: Entry, result: str) -> None:
    """Go from the factors as shown to the result as shown, on paper: each digit that is shown has to come out."""
    if entry.ending in ("open", "masked"):
        return
    shown = digits(entry, result)
    assert shown.result == result
    if entry.ending == "share":
        made = [Decimal(math.exp(float(score) - sum(map(float, taken)))) for score, *taken in shown.factors]
    else:
        made = [math.prod(map(Decimal, factors), start=Decimal(1)) for factors in shown.factors]
    assert all(map(rounds, made, shown.terms)), shown
    assert rounds(sum(map(Decimal, shown.terms), Decimal(0)), shown.total), shown
    total = Decimal(shown.total)
    ended = {
        "sum": lambda: total,
        "over": lambda: total / Decimal(shown.constant),
        "share": lambda: Decimal(shown.terms[0]) / total,
        "tanh": lambda: Decimal(math.tanh(float(total))),
    }
    assert rounds(ended[entry.ending](), result), shown


@each
def test_every_sum_can_be_redone_with_the_digits_shown(example: Example) -> None:
    values = example.run()
    for step in example.steps:
        whole = grid(values[step.name])
        for (row, column), value in np.ndenumerate(whole):
            entry, result = step.operation.entry(values, row, column), fixed(value, places(whole))
            redo(entry, result)
            assert written(entry, result).endswith(typeset(result))


products = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=16)


def of_products(pairs: list[tuple[float, float]], ending: str = "sum", constant: float = 0.0) -> Entry:
    return Entry(tuple(EntryTerm(pair, math.prod(pair)) for pair in pairs), (), ending, constant)


@hypothesis.example([(3e-9, 3e-6), (3e-9, 3e-6)], 4)
@given(products, st.integers(0, 4))
def test_redoing_a_product_gives_the_number_shown(pairs: list[tuple[float, float]], after: int) -> None:
    entry = of_products(pairs)
    redo(entry, fixed(entry.combined, after))


@hypothesis.example([(3e-9, 3e-9), (3e-9, 3e-9)], 1e-3)
@given(products, st.floats(1e-3, 100))
def test_redoing_a_divided_product_gives_the_number_shown(pairs: list[tuple[float, float]], divisor: float) -> None:
    entry = of_products(pairs, "over", divisor)
    redo(entry, fixed(entry.combined, 4))


@given(st.lists(st.floats(-60, 60), min_size=1, max_size=8), st.data())
def test_redoing_a_softmax_gives_the_weight_shown(scores: list[float], data: st.DataObject) -> None:
    entry = Softmax("scores").entry({"scores": np.array(scores)}, 0, data.draw(st.integers(0, len(scores) - 1)))
    redo(entry, fixed(entry.combined, 4))


@pytest.mark.parametrize(
    ("entry", "result", "line"),
    [
        (
            of_products([(0.3, 0.3), (0.7, -0.1), (-0.2, 0.7)]),
            "-0.12",
            "0.3·0.3 + 0.7·(−0.1) + (−0.2)·0.7 = 0.09 − 0.07 − 0.14 = −0.12",
        ),
        (of_products([(0.5, 3.0)]), "1.5", "0.5·3 = 1.5"),
        (
            Entry((EntryTerm((0.5, 2.0), 1.0), EntryTerm((-0.25,), -0.25)), (MatrixCell(0, 0, 0),)),
            "0.75",
            "0.5·2 − 0.25 = 1 − 0.25 = 0.75",
        ),
        (of_products([(1.0, 1.0), (2.0, 1.0)], "over", 1.0), "3", "1·1 + 2·1 = 1 + 2 = 3"),
        (
            of_products([(1.0, 1.0), (2.0, 1.0)], "over", math.sqrt(3)),
            "1.7321",
            "(1·1 + 2·1) / 1.73205 = (1 + 2) / 1.73205 = 3 / 1.73205 ≈ 1.7321",  # 3 / 1.7321 would be 1.7320
        ),
        (
            Softmax("e").entry({"e": np.array([3.0, 5.0])}, 0, 0),
            "0.1192",
            "e^(3) / (e^(3) + e^(5)) ≈ 20.0855 / (20.0855 + 148.4132) = 20.0855 / 168.4987 ≈ 0.1192",
        ),
        (
            Softmax("e").entry({"e": np.array([30.0, 31.0])}, 0, 0),
            "0.2689",
            "e^(30 − 31) / (e^(30 − 31) + e^(31 − 31)) ≈ 0.36788 / (0.36788 + 1) ≈ 0.36788 / 1.3679 ≈ 0.2689",
        ),
        (
            Softmax("e").entry({"e": np.array([-np.inf, 0.0])}, 0, 0),
            "0.0000",
            "e^(−∞) / (e^(−∞) + e^(0)) = 0 / (0 + 1) = 0 / 1 = 0.0000",
        ),
        (Tanh("z").entry({"z": np.array([0.5886])}, 0, 0), "0.5290", "tanh(0.5886) ≈ 0.5290"),
        (Sum("a", "b").entry({"a": np.array([0.25]), "b": np.array([-0.5])}, 0, 0), "-0.25", "0.25 − 0.5 = −0.25"),
        (
            Masked("e", "M").entry({"e": np.array([0.3]), "M": np.array([0.0])}, 0, 0),
            "-inf",
            "the mask is 0 here: the score becomes −∞",
        ),
        (
            Masked("e", "M").entry({"e": np.array([0.3]), "M": np.array([1.0])}, 0, 0),
            "0.3",
            "the mask is 1 here: the score stays 0.3",
        ),
    ],
)
def test_a_sum_is_written_as_on_paper(entry: Entry, result: str, line: str) -> None:
    assert written(entry, result).replace("\u00a0", " ") == line
