import numpy as np
from streamlit.testing.v1 import AppTest

from tests.support.lesson_visitor import CAME_TRUE, figure, opened, predicted


def test_the_context_is_the_weighted_sum_and_the_mean_where_all_weigh_the_same(screen: AppTest) -> None:
    opened(screen, 5)
    for name, parts in (("i", 1), ("love", 1), ("you", 0)):
        screen.slider(key=f"parts_{name}").set_value(parts).run()
    point = next(one for one in figure(screen)["data"] if one["name"] == "context")
    np.testing.assert_allclose([point["x"][0], point["y"][0]], [(2 + 1) / 2, (0 + 3) / 2])
    told = predicted(screen, 5, 1)
    assert CAME_TRUE in told
    assert "(0.333, 1.333)" in told


def test_no_parts_at_all_are_told_and_shared_alike(screen: AppTest) -> None:
    opened(screen, 5)
    for name in ("i", "love", "you"):
        screen.slider(key=f"parts_{name}").set_value(0).run()
    assert any("every word counts the same" in info.value for info in screen.info)
