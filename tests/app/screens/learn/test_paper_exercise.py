import math

import numpy as np
import pytest

from regard.app.screens.learn.number_format import equals, listed, written
from regard.app.screens.learn.paper_exercise import STEPS, TOLERANCE, VALUES, verdict, working
from regard.model.examples.dot_product import ON_PAPER
from regard.model.examples.entries import Entry


def entry(step: str, place: int) -> Entry:
    return STEPS[step].making.entry(VALUES, 0, place)


def test_the_step_is_what_paper_says() -> None:
    np.testing.assert_allclose(VALUES["scores"], [2 * 1 + 1 * 0, 2 * 1 + 1 * 1, 2 * -1 + 1 * 2])
    total = math.e**2 + math.e**3 + 1
    np.testing.assert_allclose(VALUES["weights"], [math.e**2 / total, math.e**3 / total, 1 / total])
    first, second, third = VALUES["weights"]
    np.testing.assert_allclose(VALUES["context"], [first + second - third, second + 2 * third])


def test_who_rounds_every_number_to_two_digits_still_gets_it_right() -> None:
    powers = [round(math.e**score, 2) for score in VALUES["scores"]]
    weights = [round(power / sum(powers), 2) for power in powers]
    context = weights[0] + weights[1] - weights[2]
    assert "Right" in verdict(weights[1], entry("weights", 1).combined, share=True)
    assert "Right" in verdict(round(context, 2), entry("context", 0).combined, share=False)


@pytest.mark.parametrize(
    ("typed", "value", "share", "said"),
    [
        (0.0, 0.0, False, "Right.**"),
        (0.71, 0.7054, True, "To four digits it is 0.7054"),
        (70.5, 0.7054, True, "Right, in percent"),
        (70.5, 0.7054, False, "too high by 69.7946"),
        (-4.0, 0.0, False, "−4 is too low by 4"),
        (0.7054 + 1.1 * TOLERANCE, 0.7054, True, "too high by 0.011"),
    ],
)
def test_the_verdict_says_how_far_off_a_number_is(typed: float, value: float, share: bool, said: str) -> None:
    assert said in verdict(typed, value, share)


def test_the_working_has_every_factor_and_the_result() -> None:
    assert r"(−1) \cdot 2 + 2 \cdot 1 \\[1ex] = −2 + 2 \\[1ex] = 0" in working(entry("scores", 2))
    shown = working(entry("weights", 1))
    assert "e^{3} / (e^{3} + e^{2} + e^{0})" in shown
    assert "≈ 20.0855 / (20.0855 + 7.3891 + 1)" in shown
    assert shown.endswith(r"≈ 0.7054 \end{gathered}")
    assert r"0.7054 \cdot 1" in working(entry("context", 0))
    assert working(entry("context", 0)).endswith(r"= 0.2595 + 0.7054 − 0.0351 \\[1ex] = 0.9298 \end{gathered}")


def test_an_equals_sign_stands_only_where_the_numbers_shown_make_it_so() -> None:
    assert equals([0.2 * 2 + 0.6], [1.0]) == "="
    assert equals([0.333 * (2 + 3 - 1)], [1.333]) == "≈"


def test_the_example_is_checked_like_all_others() -> None:
    with pytest.raises(ValueError, match="q has shape"):
        ON_PAPER.run(ON_PAPER.matrices() | {"q": np.ones(3)})


def test_numbers_have_no_digits_that_they_do_not_need() -> None:
    assert [written(value) for value in (2.0, -0.5, 1 / 3, -0.00001, 0.0)] == ["2", "−0.5", "0.3333", "0", "0"]
    assert listed([1.0, -2.5]) == "(1, −2.5)"
