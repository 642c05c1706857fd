import numpy as np
import pytest

from regard.app.lesson.exercise import STARTER, STEPS, VALUES, answers, checked

RIGHT = [VALUES[step] for step in STEPS]


def said(*values: object) -> list[str]:
    return checked(" ".join(map(str, values)))


def test_what_numpy_prints_is_right_and_so_are_three_decimals_or_a_part() -> None:
    assert [": right." in line for line in said(*RIGHT)] == [True] * 3
    assert [": right." in line for line in checked(answers().replace("**", ""))] == [True] * 3
    assert [": right." in line for line in said(RIGHT[0])] == [True]


def test_a_mistake_that_is_often_made_gets_its_hint() -> None:
    scores, weights, context = RIGHT
    assert "divide by the sum" in said(scores, np.exp(scores), context)[1]
    assert "add up to -0.400" in said(scores, "[.2 -.4 .1 -.3]", context)[1]
    assert "not the softmax" in said(scores, scores / scores.sum(), context)[1]
    assert "plain mean" in said(scores, weights, VALUES["H"].mean(0))[2]
    assert "dot product" in said(scores + 1, weights, context)[0]


@pytest.mark.parametrize("typed", ["1 2 3", "__import__('os').system('true')", "nan inf", "9" * 3000])
def test_anything_else_is_a_count_of_numbers(typed: str) -> None:
    assert "there should be 4 for the scores" in checked(typed)[-1]


def test_the_starter_and_ten_lines_make_it() -> None:
    program = STARTER.replace("scores = ...", "scores = H @ q").replace("context = ...", "context = weights @ H")
    program = program.replace("weights = ...", "weights = np.exp(scores) / np.exp(scores).sum()")
    space: dict[str, np.ndarray] = {}
    exec(program.replace("print(scores, weights, context)", ""), space)
    assert all(": right." in line for line in said(*(space[step] for step in STEPS)))
