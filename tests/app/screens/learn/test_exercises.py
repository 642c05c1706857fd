import math

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.models import pretrained
from regard.app.models.traces import trace, transformer_beside, transformer_trace
from regard.app.screens.learn.attention_chapters import tempered, times
from regard.app.screens.learn.chapter import Subject
from regard.app.screens.learn.exercises import (
    EXAMPLE,
    QUERY_STEPS,
    QUERY_VALUES,
    STEPS,
    TOLERANCE,
    VALUES,
    checked,
    equals,
    pieces,
    starter,
    vector,
    verdict,
    working,
    written,
)
from regard.app.screens.learn.limits_chapters import answers_back
from regard.app.theme import percent
from regard.app.visitor.telling_step import telling_step
from regard.model.checkpoint import DEFAULT, Pretrained
from regard.model.examples.operations import Entry
from regard.model.examples.tutorials import ON_PAPER
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, REVEALED, markdown, opened


def entry(step: str, place: int) -> Entry:
    return STEPS[step].operation.entry(VALUES, 0, place)


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
    assert vector([1.0, -2.5]) == "(1, −2.5)"


RIGHT = [QUERY_VALUES[step] for step in QUERY_STEPS]


def said(scores: object, weights: object, context: object) -> list[str]:
    return checked(f"{scores} {weights} {context}")


def test_what_numpy_prints_is_right() -> None:
    assert all(": right." in line for line in said(*RIGHT))
    assert all(": right." in line for line in said(*(np.round(value, 3).tolist() for value in RIGHT)))


def test_a_number_may_leave_out_its_zero() -> None:
    assert "add up to -0.400" in said(RIGHT[0], "[.2 -.4 .1 -.3]", RIGHT[2])[1]
    assert "add up to 1, but" in said(RIGHT[0], "[.2 .4 .1 .3]", RIGHT[2])[1]


def test_a_mistake_that_is_often_made_gets_its_hint() -> None:
    scores, weights, context = RIGHT
    assert "divide by the sum" in said(scores, np.exp(scores), context)[1]
    assert "not the softmax" in said(scores, scores / scores.sum(), context)[1]
    assert "plain mean" in said(scores, weights, QUERY_VALUES["H"].mean(0))[2]
    assert "dot product" in said(scores + 1, weights, context)[0]


@pytest.mark.parametrize("typed", ["1 2 3", "__import__('os').system('true')", "nan inf", "9" * 3000])
def test_anything_else_is_a_count_of_numbers(typed: str) -> None:
    assert "are needed" in checked(typed)[0]


def test_the_starter_and_ten_lines_make_it() -> None:
    program = starter().replace("scores = ...", "scores = H @ q").replace("context = ...", "context = weights @ H")
    program = program.replace("weights = ...", "weights = np.exp(scores) / np.exp(scores).sum()")
    space: dict[str, np.ndarray] = {}
    exec(program.replace("print(scores, weights, context)", ""), space)
    assert all(": right." in line for line in said(*(space[step] for step in QUERY_STEPS)))


def test_the_weight_of_a_word_of_four_tokens_is_their_sum(shipped: Pretrained) -> None:
    alignment = translate(shipped, [EXAMPLE])[0].alignment
    asked = pieces(alignment)
    assert asked
    assert asked.question.startswith("The model reads “firefighter” as 4 tokens: ")
    word = alignment.source.words.index("firefighter")
    weights = alignment.weights[:, np.array(alignment.source.word_of) == word].sum(1)
    assert asked.options[asked.right].partition(":")[0] in {percent(float(weight)) for weight in weights}
    assert len(set(asked.options)) == 3


def test_a_sentence_without_such_a_word_asks_nothing_and_offers_one(screen: AppTest, shipped: Pretrained) -> None:
    assert pieces(translate(shipped, ["I love you."])[0].alignment) is None
    opened(screen, 7)
    assert "What is the weight of the word?" not in markdown(screen)
    next(button for button in screen.button if EXAMPLE in button.label).click().run()
    assert not screen.exception
    assert "What is the weight of the word?" in markdown(screen)


@pytest.mark.parametrize("chapter", [4, 11])
def test_a_second_question_is_answered_once_an_option_is_chosen(chapter: int, screen: AppTest) -> None:
    opened(screen, chapter)
    second = next(radio for radio in screen.radio if str(radio.key).startswith(f"more-{chapter}-"))
    assert not any(said in markdown(screen) for said in REVEALED)
    told = [markdown(second.set_value(option).run()) for option in range(3)]
    assert sum(CAME_TRUE in each for each in told) == 1
    assert all(any(said in each for said in REVEALED) for each in told)
    assert "answers" not in screen.query_params


@pytest.mark.parametrize("sentence", ["I love you.", "The boy sees the old house."])
def test_a_temperature_of_two_takes_the_square_root_of_a_ratio(sentence: str) -> None:
    lesson = Subject(pretrained(DEFAULT), trace(DEFAULT, sentence, ""))
    asked, row = tempered(lesson), lesson.trace.scores[telling_step(lesson.trace) - 1]
    first, second = np.sort(row.astype(np.float64))[::-1][:2]
    assert asked.options[asked.right] == f"{times(np.exp((first - second) / 2))}: the square root"
    assert asked.options[0] == f"{times(np.exp(first - second))}: as before"


def test_the_weight_in_return_is_the_transposed_one() -> None:
    lesson = Subject(pretrained(DEFAULT), trace(DEFAULT, "I love you.", ""))
    asked, made = answers_back(lesson), transformer_trace(transformer_beside(DEFAULT), "I love you.")
    assert asked
    weights = made.encoder_attention.weights[0, 1][:-2, :-2]  # without “.” and `</s>`
    pair = next(
        (i, j) for i, j in np.argwhere(weights >= 0) if f"of {percent(float(weights[i, j]))}." in asked.question
    )
    assert f"**{percent(float(weights[pair[::-1]]))}**" in asked.answer
    assert asked.right == (1 if weights[pair[::-1]] > weights[pair] else 2)
