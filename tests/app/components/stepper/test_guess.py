import json
from typing import Any

import pytest

from tests.support.javascript import STEPPER, evaluated

NAMES = {STEPPER / "guess.js": "answerAt, counted, guessable, sayScore"}
TODAY = 20_000


@pytest.mark.parametrize(
    ("weights", "heaviest", "diagonal"),
    [
        pytest.param([[0.2, 0.7, 0.1]], [1], 0, id="the column with the most weight"),
        pytest.param([[0.4, 0.4, 0.2]], [0, 1], 0, id="any of several equal ones"),
        pytest.param([[1, 0, 0]] * 5, [0], 2, id="beyond the sentence the diagonal stays at its end"),
    ],
)
def test_the_answer_is_where_the_weight_is(weights: list[list[float]], heaviest: list[int], diagonal: int) -> None:
    reading = f"{{ atStep: (t) => {weights}[t], columnOf: [0, 1, 2] }}"
    found = evaluated(f"answerAt({reading}, {len(weights) - 1})", NAMES)
    assert found == {"most": max(weights[-1]), "heaviest": heaviest, "diagonal": diagonal}


def test_a_guess_is_counted_today_and_what_is_older_than_a_week_is_forgotten() -> None:
    days = {TODAY: [3, 2, 1], TODAY - 7: [9, 3, 0], TODAY - 8: [8, 8, 8], "x": [1, 1, 1], TODAY - 1: "broken"}
    found = evaluated(f"counted({json.dumps(days)}, {TODAY}, true, false)", NAMES)
    assert found == {str(TODAY): [4, 3, 1], str(TODAY - 7): [9, 3, 0]}


@pytest.mark.parametrize(
    ("days", "text"),
    [
        ({}, ""),
        (
            {TODAY: [1, 1, 0]},
            "Today you were right at 1 of 1 step, the diagonal, which takes the source tokens in turn, at 0.",
        ),
        (
            {TODAY: [4, 3, 2], TODAY - 1: [6, 3, 1], TODAY - 7: [4, 1, 1], TODAY - 8: [1, 1, 1]},
            "Today you were right at 3 of 4 steps, the diagonal, which takes the source tokens in turn, at 2. "
            "In the seven days before, you were right at 40.0% of 10.",
        ),
    ],
)
def test_the_score_stands_beside_the_diagonals_and_last_weeks(days: Any, text: str) -> None:
    assert evaluated(f"sayScore({json.dumps(days)}, {TODAY})", NAMES) == text


@pytest.mark.parametrize(
    ("trace", "may"),
    [
        ({"attends": True}, True),
        ({"attends": False}, False),
        ({"attends": True, "look": {"attention": "cross"}}, True),
        ({"attends": True, "look": {"attention": "decoder"}}, False),
    ],
)
def test_only_attention_to_the_source_is_guessed(trace: Any, may: bool) -> None:
    assert evaluated(f"guessable({json.dumps(trace)})", NAMES) is may
