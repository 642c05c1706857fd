from decimal import Decimal

import numpy as np
import pytest

from regard.app.components.matrices.mount import pieces, plain
from regard.app.components.matrices.sums import apart, places, rounds, shortest
from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.example import Example

EXAMPLES = [example for document in DOCUMENTS for example in document.examples]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


@each
def test_symbols_are_shown_without_a_trace_of_latex(example: Example) -> None:
    for about in (*example.givens, *example.steps):
        for latex in (about.symbol, getattr(about, "formula", "")):
            assert not set("\\{}_^") & set("".join(piece.text for piece in pieces(latex))), latex


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"\tilde h", "h\u0303"),
        ("W_c", "W_c"),
        (r"\alpha_{\text{dot}}", "α_dot"),
        (r"H W_h^\top", "H W_h⊤"),
        ("s_{t-1}", "s_t−1"),
        (r"\tanh z", "tanh z"),
        ("e'", "e′"),
        (r"W_c\,[q ; c]", "W_c [q ; c]"),
    ],
)
def test_a_symbol_reads_as_it_looks(latex: str, shown: str) -> None:
    assert plain(latex) == shown


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
    assert apart(difference) == shown
