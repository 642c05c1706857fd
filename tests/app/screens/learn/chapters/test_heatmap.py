from collections.abc import Callable
from html import unescape

from streamlit.testing.v1 import AppTest

from regard.app.theme import component
from regard.model.cards.record_files import read_scores
from regard.model.checkpoint import DEFAULT, Pretrained
from tests.support.lesson_visitor import CAME_TRUE, figure, markdown, opened, predicted, right_of


def test_the_reading_with_fewer_errors_is_the_one_that_was_measured(screen: AppTest, shipped: Pretrained) -> None:
    overall = read_scores(shipped.folder)["alignments"]["overall"]
    produced, fed = overall["output"]["aer"], overall["input"]["aer"]
    opened(screen, 7)
    assert right_of(screen, 7) == (0 if produced < fed else 1)
    assert component(produced) in markdown(screen)
    assert component(fed) in markdown(screen)


def test_the_rows_are_named_by_either_word(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 7)
    assert figure(screen)["layout"]["yaxis"]["ticktext"][0] == "Je"
    screen.segmented_control(key="named").set_value("input").run()
    assert unescape(figure(screen)["layout"]["yaxis"]["ticktext"][0]) == "<s>"


def test_without_a_measurement_the_question_is_about_the_numbers(
    screen: AppTest, offer: Callable[..., Pretrained]
) -> None:
    offer(DEFAULT)
    told = predicted(opened(screen, 7), 7, 1)
    assert CAME_TRUE in told
    assert "is 0.00" in told
