from math import exp, fsum, log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from regard.model.worksheet.rounding import chances, places, printed, products, weights
from tests.support.pupil import redo_chances, redo_products, redo_weights


@given(st.data())
def test_products_of_any_numbers_come_out(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 8))
    number = st.floats(-20, 20, width=32)
    common, first, second = (data.draw(st.lists(number, min_size=size, max_size=size)) for _ in range(3))
    rests = data.draw(st.tuples(number, number))
    totals = [
        fsum([rest, *map(float.__mul__, common, other)]) for rest, other in zip(rests, (first, second), strict=True)
    ]
    found = products([str(place) for place in range(size)], common, [first, second], rests, 3, totals)
    redo_products(found)
    for shown, total in zip(found.totals, totals, strict=True):
        assert float(shown) == pytest.approx(total, abs=0.5 * 10 ** -places(shown) + 1e-9)


@given(st.lists(st.floats(-30, 30, width=32), min_size=2, max_size=30), st.integers(0, 10))
def test_a_softmax_of_any_scores_comes_out(scores: list[float], others: int) -> None:
    kept = max(1, len(scores) - others)
    powers = [exp(score - max(scores)) for score in scores]
    shares = [float(np.float32(power / fsum(powers))) for power in powers]
    found = weights([str(place) for place in range(kept)], scores[:kept], scores[kept:], shares[:kept])
    redo_weights(found)
    assert found.rest_count == len(scores) - kept
    for line, share in zip(found.lines, shares, strict=False):
        assert float(line.found[1]) == pytest.approx(share, abs=0.5 * 10 ** -places(line.found[1]) + 1e-9)


@given(st.lists(st.floats(-10, 20, width=32), min_size=1, max_size=5), st.floats(0, 8, width=32))
def test_probabilities_of_any_logits_come_out(logits: list[float], above: float) -> None:
    normaliser = log(fsum(map(exp, logits))) + above
    probabilities = [exp(logit - normaliser) for logit in logits]
    assume(fsum(probabilities) <= 1)
    found = chances([str(place) for place in range(len(logits))], logits, normaliser, probabilities)
    redo_chances(found)


def test_the_rest_of_the_probabilities_has_their_decimals_where_the_sums_agree() -> None:
    """0.6 and 0.3563 round to 0.600 and 0.356, which leave 0.044; so does the exact rest of 0.0437."""
    found = chances(["a", "b"], [log(0.6), log(0.3563)], 0.0, [0.6, 0.3563])
    assert ([line.found[0] for line in found.lines], found.rest) == (["0.600", "0.356"], "0.044")


def test_a_number_that_rounds_to_zero_has_no_sign() -> None:
    assert [printed(value, 2) for value in (-0.001, 0.0, -0.006, 12.345678)] == ["0.00", "0.00", "-0.01", "12.35"]


def test_numbers_that_make_something_else_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        products(["a"], [1.0], [[1.0]], [0.0], 0, [2.0])
    with pytest.raises(ValueError, match="cannot be written"):
        weights(["a", "b"], [0.0, 0.0], [], [0.9, 0.1])
    with pytest.raises(ValueError, match="cannot be written"):
        chances(["a"], [0.0], 0.0, [0.25])


def test_products_by_hand() -> None:
    """0.5 · 0.3 + 0.5 · 0.7 and 1 more make 1.5: whole tenths would do, two decimals are what scores have."""
    found = products(["x", "y"], [0.5, 0.5], [[0.3, 0.7]], [1.0], 4, [1.5])
    assert [line.given for line in found.lines] == [("0.50", "0.30"), ("0.50", "0.70")]
    assert [line.found for line in found.lines] == [("0.15",), ("0.35",)]
    assert (found.rests, found.rest_count, found.totals) == (("1.00",), 4, ("1.50",))


def test_a_softmax_by_hand() -> None:
    """The scores 0 and log 3 weigh a quarter and three quarters."""
    found = weights(["x", "y"], [0.0, log(3)], [], [0.25, 0.75])
    assert [line.found[1] for line in found.lines] == ["0.250", "0.750"]
    assert float(found.total) == pytest.approx(4 / 3, abs=1e-2)
    assert found.greatest.startswith("1.09") or found.greatest == "1.10"
