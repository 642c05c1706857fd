import math
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.lesson.attention_chapters import STARTER, STEPS, VALUES, answers, checked, tempered, times
from regard.app.lesson.chapter import vector, written
from regard.app.models.traces import trace
from regard.app.theme import component, percent
from regard.app.visitor.question import telling_step
from regard.model.checkpoint import DEFAULT, Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, array, figure, markdown, opened, predicted
from tests.support.screens import html


def test_scores_follow_the_sliders(screen: AppTest) -> None:
    opened(screen, 3).slider(key="query_1").set_value(-1.0).run()
    screen.segmented_control(key="arrow").set_value("you").run()
    screen.slider(key="you_2").set_value(3.0).run()
    score = -1.0 * -2.0 + 1.5 * 3.0
    assert f"<td>\u2007{component(score)}</td>" in html(screen)  # as wide as −4.00 above it


def test_the_highest_score_is_that_of_the_visitors_sentence(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    scores = trace.scores[telling_step(trace) - 1]
    best = sorted(sorted(range(len(scores)), key=lambda place: -scores[place])[:3])
    told = predicted(opened(screen, 3, sentence=SENTENCE), 3, best.index(int(scores.argmax())))
    assert CAME_TRUE in told
    assert f"has the highest score, {component(float(scores.max()))}" in told


def test_weights_follow_the_sliders(screen: AppTest) -> None:
    opened(screen, 4)
    for name, score in (("i", 0.0), ("love", 1.0), ("you", -2.0)):
        screen.slider(key=f"score_{name}").set_value(score).run()
    screen.select_slider(key="temperature").set_value(0.5).run()
    powers = [math.exp(score / 0.5) for score in (0.0, 1.0, -2.0)]
    shares = [power / sum(powers) for power in powers]
    np.testing.assert_allclose(array(figure(screen)["data"][0]["y"]), [100 * share for share in shares])


def test_the_weight_of_the_highest_score_is_that_of_the_visitors_sentence(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    step = telling_step(trace) - 1
    first, second = np.argsort(-trace.weights[step])[:2]
    share = float(trace.weights[step, first])
    told = predicted(opened(screen, 4, sentence=SENTENCE), 4, 0 if share < 0.5 else 1 if share <= 0.9 else 2)
    assert CAME_TRUE in told
    assert f"gets {percent(share)}" in told
    assert f"{share / trace.weights[step, second]:,.1f} times as much" in told


@pytest.mark.parametrize(
    ("lead", "written"), [(1.6407, "5.16"), (5.5180, "249.1"), (7.5, "1,808"), (36.8479, "1.007·10¹⁶")]
)
def test_a_ratio_has_no_more_digits_than_its_logarithm_on_screen(lead: float, written: str) -> None:
    assert times(math.exp(lead)) == written


@pytest.mark.parametrize(("parts", "place"), [((1, 1, 0), (1.5, 1.5)), ((0, 0, 0), (1 / 3, 4 / 3))])
def test_the_context_is_the_weighted_sum(parts: tuple[int, ...], place: tuple[float, float], screen: AppTest) -> None:
    opened(screen, 5)
    for name, count in zip(("i", "love", "you"), parts, strict=True):
        screen.slider(key=f"parts_{name}").set_value(count).run()
    point = next(one for one in figure(screen)["data"] if one["name"] == "context")
    np.testing.assert_allclose([point["x"][0], point["y"][0]], place)


def test_a_cell_of_the_context_is_asked_for_among_two_wrong_ways_to_mix(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    step = telling_step(trace) - 1
    cells = trace.maker.axes["annotation"].coordinates(trace.annotations)
    asked = opened(screen, 5, sentence=SENTENCE).radio(key="predicted-5").options
    (cell,) = re.findall(r"Look at cell (\d+)", markdown(screen))
    place = int(cell) - 1
    told = component(float((trace.weights[step] @ cells)[place]))
    assert sorted(asked) == sorted([told, *(component(float(mix[place])) for mix in (cells.mean(0), cells.sum(0)))])
    assert CAME_TRUE in predicted(screen, 5, asked.index(told))


def test_numbers_have_no_digits_that_they_do_not_need() -> None:
    assert [written(value) for value in (2.0, -0.5, 1 / 3, -0.00001, 0.0)] == ["2", "−0.5", "0.3333", "0", "0"]
    assert vector([1.0, -2.5]) == "(1, −2.5)"


@pytest.mark.parametrize("sentence", ["I love you.", "The boy sees the old house."])
def test_a_temperature_of_two_takes_the_square_root_of_a_ratio(sentence: str) -> None:
    lesson = trace(DEFAULT, sentence, "")
    asked, row = tempered(lesson), lesson.scores[telling_step(lesson) - 1]
    first, second = np.sort(row.astype(np.float64))[::-1][:2]
    assert asked.options[asked.right] == f"{times(np.exp((first - second) / 2))}: the square root"
    assert asked.options[0] == f"{times(np.exp(first - second))}: as before"


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
