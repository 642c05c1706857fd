"""The limits of attention: what the chapter reveals is what the numbers on screen make."""

from streamlit.testing.v1 import AppTest

from regard.app.theme import percent
from regard.app.visitor.question import EXAMPLE
from regard.model.analysis.faithfulness import counterfactual
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import (
    CAME_TRUE,
    SENTENCE,
    markdown,
    opened,
    predicted,
)


def test_the_tokens_that_stay_are_counted(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    stays = counterfactual(shipped, trace, "uniform").stays
    opened(screen, 9, sentence=SENTENCE)
    share = stays.sum() / len(stays)
    right = 0 if share >= 2 / 3 else 1 if share > 1 / 3 else 2
    told = predicted(screen, 9, right)
    assert CAME_TRUE in told
    assert f"{stays.sum()} of {len(stays)} tokens stay" in told


def test_a_step_tells_whether_its_token_stays(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [EXAMPLE])[0]
    even = counterfactual(shipped, trace, "uniform")
    opened(screen, 9)
    for step in range(len(trace.target)):
        screen.pills(key="even").set_value(step).run()
        assert ("**stays**" in markdown(screen)) == bool(even.stays[step])
        assert percent(float(even.probabilities[step])) in markdown(screen)


def test_the_state_does_not_change_with_the_source_and_attention_is_called_the_only_way(screen: AppTest) -> None:
    opened(screen, 9, model="en-fr-general")
    assert "attention is the only way" in " ".join(markdown(screen).split())
    assert "its states differ by **exactly 0.0**" in markdown(screen)


def test_of_a_model_whose_state_has_seen_the_source_it_says_so(screen: AppTest) -> None:
    opened(screen, 9, model="en-fr-bahdanau")
    assert "the only way" not in markdown(screen)
    assert "remembers what earlier steps found" in markdown(screen)
    assert "although every word it was fed is the same" in markdown(screen)
