import re

import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.screens.learn.importance_exercise import OTHER, RIGHT
from regard.app.theme import percent
from regard.app.visitor.question import EXAMPLE
from regard.model.analysis.faithfulness import counterfactual, leave_one_out, replaced
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, markdown, opened, predicted
from tests.support.screens import html


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


def test_the_tokens_that_stay_without_any_context_stand_beside_those_with_even_weights(
    screen: AppTest, shipped: Pretrained
) -> None:
    trace = translate(shipped, [EXAMPLE])[0]
    evenly = counterfactual(shipped, trace, "uniform").stays
    blindly = replaced(shipped, trace, np.zeros_like(trace.weights)).stays
    even, nothing, lost = int(evenly.sum()), int(blindly.sum()), int((evenly & ~blindly).sum())
    assert lost > 1
    opened(screen, 9)
    told = predicted(screen, 9, 0)
    assert f"With no context at all, {nothing} of {len(trace.target)} {'stays' if nothing == 1 else 'stay'}" in told
    assert f"of the {even} tokens that stay with them, {lost} are lost without any context." in told
    rows = re.findall(r"<td>(\d+ of \d+)</td>", html(screen))
    assert rows == [f"{kept} of {len(trace.target)}" for kept in (len(trace.target), even, nothing)]


def test_the_most_important_token_is_guessed_before_leaving_each_one_out_is_shown(
    screen: AppTest, shipped: Pretrained
) -> None:
    opened(screen, 9).pills(key="even").set_value(1).run()
    assert "Kendall" not in markdown(screen)
    trace = translate(shipped, [EXAMPLE])[0]
    left_out = leave_one_out(shipped, trace)[1]
    most = int(np.nanargmax(left_out))
    key = f"heaviest-{shipped.folder.name}-{EXAMPLE}-1"
    told = markdown(screen.pills(key=key).set_value(most).run())
    assert RIGHT in told
    assert percent(float(left_out[most])) in told
    assert OTHER in markdown(screen.pills(key=key).set_value((most + 1) % 3).run())


def test_of_a_translation_that_keeps_no_token_nothing_is_said_of_those_that_stay(
    screen: AppTest, shipped: Pretrained
) -> None:
    assert not counterfactual(shipped, translate(shipped, ["Stop"])[0], "uniform").stays.any()
    opened(screen, 9, sentence="Stop")
    told = predicted(screen, 9, 0)
    assert "All tokens needed these weights here." in told
    assert "that stay" not in told
