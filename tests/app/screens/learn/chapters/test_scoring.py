from streamlit.testing.v1 import AppTest

from regard.app.theme import component
from regard.app.visitor.question import telling_step
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, opened, predicted
from tests.support.screens import html


def test_scores_follow_the_sliders(screen: AppTest) -> None:
    opened(screen, 3).slider(key="query_1").set_value(-1.0).run()
    screen.segmented_control(key="arrow").set_value("you").run()
    screen.slider(key="you_2").set_value(3.0).run()
    score = -1.0 * -2.0 + 1.5 * 3.0
    assert f"<td>{component(score).rstrip('0')}</td>" in html(screen)


def test_the_highest_score_is_that_of_the_visitors_sentence(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    scores = trace.scores[telling_step(trace) - 1]
    best = sorted(sorted(range(len(scores)), key=lambda place: -scores[place])[:3])
    told = predicted(opened(screen, 3, sentence=SENTENCE), 3, best.index(int(scores.argmax())))
    assert CAME_TRUE in told
    assert f"has the highest score, {component(float(scores.max()))}" in told
