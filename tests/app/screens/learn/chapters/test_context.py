import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.theme import component
from regard.app.visitor.question import telling_step
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, figure, opened, predicted


def test_the_context_is_the_weighted_sum(screen: AppTest) -> None:
    opened(screen, 5)
    for name, parts in (("i", 1), ("love", 1), ("you", 0)):
        screen.slider(key=f"parts_{name}").set_value(parts).run()
    point = next(one for one in figure(screen)["data"] if one["name"] == "context")
    np.testing.assert_allclose([point["x"][0], point["y"][0]], [(2 + 1) / 2, (0 + 3) / 2])


def test_the_context_looks_like_what_its_cells_are_nearest_to(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    step = telling_step(trace) - 1
    first, second = np.argsort(-trace.weights[step])[:2]
    cells = trace.maker.axes["annotation"].coordinates(trace.annotations)
    mixed = trace.weights[step] @ cells
    apart = [np.abs(mixed - near).mean() for near in (cells[first], cells[second], cells.mean(0))]
    told = predicted(opened(screen, 5, sentence=SENTENCE), 5, int(np.argmin(apart)))
    assert CAME_TRUE in told
    assert f"differs by {component(apart[0])} on average" in told


def test_no_parts_at_all_are_told_and_shared_alike(screen: AppTest) -> None:
    opened(screen, 5)
    for name in ("i", "love", "you"):
        screen.slider(key=f"parts_{name}").set_value(0).run()
    assert any("every word counts the same" in info.value for info in screen.info)
