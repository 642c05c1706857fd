import math

import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.screens.learn.chapters.softmax import kept
from regard.app.theme import percent
from regard.model.reference.formulas import softmax
from tests.support.lesson_visitor import CAME_TRUE, array, figure, opened, predicted


def test_weights_follow_the_sliders_and_do_not_mind_what_all_scores_share(screen: AppTest) -> None:
    opened(screen, 4)
    for name, score in (("i", 0.0), ("love", 1.0), ("you", -2.0)):
        screen.slider(key=f"score_{name}").set_value(score).run()
    screen.select_slider(key="temperature").set_value(0.5).run()
    powers = [math.exp(score / 0.5) for score in (0.0, 1.0, -2.0)]
    shares = [power / sum(powers) for power in powers]
    np.testing.assert_allclose(array(figure(screen)["data"][0]["y"]), [100 * share for share in shares])
    told = predicted(screen, 4, 2)
    assert CAME_TRUE in told
    assert f"love {percent(shares[1])} → {percent(shares[1])}" in told


def test_a_temperature_keeps_the_order_and_changes_the_ratio() -> None:
    scores = np.array([1.0, 2.5, -1.0])
    for temperature in (0.25, 1.0, 4.0):
        shares = softmax(scores / temperature)
        assert list(np.argsort(shares)) == list(np.argsort(scores))
        assert f"“love” weighs {shares[1] / shares[0]:.2f} times as much as “I”" in kept(scores, temperature)
        assert f"and {np.exp(1.5):.2f} times as much at 1." in kept(scores, temperature)
