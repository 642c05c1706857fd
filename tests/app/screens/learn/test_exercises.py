import math

import numpy as np
import pytest

from regard.app.screens.learn.exercises import STEPS, TOLERANCE, VALUES, vector, verdict, working, written
from regard.model.examples.operations import Entry


def entry(step: str, place: int) -> Entry:
    return STEPS[step].operation.entry(VALUES, 0, place)


def test_the_step_is_what_paper_says() -> None:
    np.testing.assert_allclose(VALUES["scores"], [2 * 1 + 1 * 0, 2 * 1 + 1 * 1, 2 * -1 + 1 * 2])
    total = math.e**2 + math.e**3 + 1
    np.testing.assert_allclose(VALUES["weights"], [math.e**2 / total, math.e**3 / total, 1 / total])
    first, second, third = VALUES["weights"]
    np.testing.assert_allclose(VALUES["context"], [first + second - third, second + 2 * third])


@pytest.mark.parametrize(
    ("typed", "value", "said"),
    [
        (0.0, 0.0, "Right.**"),
        (0.71, 0.7054, "To four digits: 0.7054"),
        (-4.0, 0.0, "−4 is too low by 4"),
        (0.7054 + 1.1 * TOLERANCE, 0.7054, "too high by 0.011"),
    ],
)
def test_the_verdict_says_how_far_off_a_number_is(typed: float, value: float, said: str) -> None:
    assert said in verdict(typed, value)


def test_the_working_has_every_factor_and_the_result() -> None:
    assert r"(−1) \cdot 2 + 2 \cdot 1 \\[1ex] = −2 + 2 \\[1ex] = 0" in working(entry("scores", 2))
    shown = working(entry("weights", 1))
    assert "e^{3} / (e^{3} + e^{2} + e^{0})" in shown
    assert "≈ 20.0855 / (20.0855 + 7.3891 + 1)" in shown
    assert shown.endswith(r"≈ 0.7054 \end{gathered}")
    assert working(entry("context", 0)).endswith(r"= 0.2595 + 0.7054 − 0.0351 \\[1ex] = 0.9298 \end{gathered}")


def test_numbers_have_no_digits_that_they_do_not_need() -> None:
    assert [written(value) for value in (2.0, -0.5, 1 / 3, -0.00001, 0.0)] == ["2", "−0.5", "0.3333", "0", "0"]
    assert vector([1.0, -2.5]) == "(1, −2.5)"
