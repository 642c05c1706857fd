from streamlit.testing.v1 import AppTest

from regard.app.theme import component
from tests.support.lesson_visitor import CAME_TRUE, opened, predicted
from tests.support.screens import html


def test_scores_follow_the_sliders_and_double_with_the_query(screen: AppTest) -> None:
    opened(screen, 3).slider(key="query_1").set_value(-1.0).run()
    screen.segmented_control(key="arrow").set_value("you").run()
    screen.slider(key="you_2").set_value(3.0).run()
    score = -1.0 * -2.0 + 1.5 * 3.0
    assert f"<td>{component(score).rstrip('0')}</td>" in html(screen)
    told = predicted(screen, 3, 1)
    assert CAME_TRUE in told
    assert f"you {score:g} → {2 * score:g}" in told
