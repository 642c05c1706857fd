import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.theme import percent
from regard.app.visitor.question import EXAMPLE, telling_step
from regard.app.wording import plain_markdown
from regard.model.alignment import token_label
from regard.model.analysis.faithfulness import replaced
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, markdown, opened, predicted


def test_a_probability_opens_its_arithmetic(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 6)
    trace = translate(shipped, [EXAMPLE])[0]
    screen.button(key=f"token-{trace.top_ids[2, 0]}").click().run()
    assert not screen.exception
    assert "**Arithmetic** of the probability" in markdown(screen)
    assert "NumPy recomputation" in markdown(screen)
    screen.button(key="chapter-7").click().run()
    assert "**Arithmetic**" not in markdown(screen)


def test_the_state_alone_keeps_as_many_tokens_as_come_out_without_a_context(
    screen: AppTest, shipped: Pretrained
) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    stays = replaced(shipped, trace, np.zeros_like(trace.weights)).stays
    step = telling_step(trace) - 1
    options = sorted(plain_markdown(token_label(token)) for token in trace.top_tokens[step][:3])
    likeliest = plain_markdown(token_label(trace.top_tokens[step][0]))
    told = predicted(opened(screen, 6, sentence=SENTENCE), 6, options.index(likeliest))
    assert CAME_TRUE in told
    assert f"has {percent(float(trace.top_probabilities[step, 0]))}" in told
    assert f"{stays.sum()} of {len(stays)} still {'comes' if stays.sum() == 1 else 'come'} out" in told
