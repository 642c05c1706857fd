import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.lesson import limits_chapters
from regard.app.lesson.chapter import vector
from regard.app.lesson.limits_chapters import FIRST_HEAD, NUMBERS, answers_back, followed, most_important
from regard.app.models.traces import REVERSER, trace, transformer_beside, transformer_trace
from regard.app.theme import percent
from regard.app.visitor.question import EXAMPLE
from regard.model.analysis.faithfulness import counterfactual, leave_one_out, replaced
from regard.model.checkpoint import DEFAULT, PRETRAINED, Pretrained, load
from regard.model.synthetic.exposure_bias import Exposure
from regard.model.synthetic.tasks import pair, sample
from regard.model.training.snapshots import SNAPSHOTS, Snapshots
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, array, figure, markdown, opened, predicted
from tests.support.screens import html


def test_a_step_tells_whether_its_token_stays(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [EXAMPLE])[0]
    even = counterfactual(shipped, trace, "uniform")
    opened(screen, 9)
    for step in range(len(trace.target)):
        screen.pills(key="even").set_value(step).run()
        assert ("likeliest token stays the same." in markdown(screen)) == bool(even.stays[step])
        assert percent(float(even.probabilities[step])) in markdown(screen)


@pytest.mark.parametrize(
    ("model", "said"), [("general", "its states differ by **exactly 0.0**"), ("bahdanau", "although every word it was")]
)
def test_it_is_said_whether_the_state_knows_the_source(model: str, said: str, screen: AppTest) -> None:
    opened(screen, 9, model=f"en-fr-{model}")
    assert said in markdown(screen)


@pytest.mark.parametrize("sentence", [EXAMPLE, SENTENCE, "Stop"])
def test_the_tokens_that_stay_without_any_context_stand_beside_those_with_even_weights(
    sentence: str, screen: AppTest, shipped: Pretrained
) -> None:
    trace = translate(shipped, [sentence])[0]
    even, moved = (int(counterfactual(shipped, trace, kind).stays.sum()) for kind in ("uniform", "permuted"))
    nothing, steps = int(replaced(shipped, trace, np.zeros_like(trace.weights)).stays.sum()), len(trace.target)
    opened(screen, 9, sentence=sentence)
    right = 0 if even / steps >= 2 / 3 else 1 if even / steps > 1 / 3 else 2
    told = predicted(screen, 9, right)
    assert CAME_TRUE in told
    assert re.search(f"{even} of {steps} stays? with the same weight everywhere", told)
    assert f"{moved} of {steps} with the weights in another order." in told
    assert f"With no context at all, {nothing} of {steps} {'stays' if nothing == 1 else 'stay'}" in told
    rows = re.findall(r"<td>(\d+ of \d+)</td>", html(screen))
    assert rows == [f"{kept} of {steps}" for kept in (steps, even, moved, nothing)]


def test_attention_leaves_its_line_where_training_ended(screen: AppTest) -> None:
    """22 numbers: the line is followed to where the count of 20 is up, and then the first number is looked at."""
    model = load(PRETRAINED / "reverse-gru")
    trace = translate(model, [pair("reverse", sample(22, 10, 1)[0])[0]])[0]
    steps = followed(trace)
    assert 10 <= steps < 22
    assert trace.weights[-1].argmax() == 0
    told = predicted(opened(screen, 10), 10, 1)
    assert CAME_TRUE in told
    assert f"For {steps} steps it looks at the number whose turn it is" in told


def test_each_moment_of_the_run_has_its_weights(screen: AppTest) -> None:
    opened(screen, 10)
    watched = Snapshots.load(PRETRAINED / "reverse-gru" / SNAPSHOTS)
    for place in (0, len(watched.moments) - 1):
        screen.select_slider(key="moment").set_value(place).run()
        np.testing.assert_allclose(
            array(figure(screen, 1)["data"][0]["z"]), 100 * watched.moments[place].weights[0], rtol=1e-4
        )


def test_a_word_that_changes_places_gets_another_key(screen: AppTest) -> None:
    name = transformer_beside("en-fr")
    sentence, other = (NUMBERS, "9 1 4 1 5 3") if name == REVERSER else ("I love you.", "you love I.")
    first, last = 0, 5 if name == REVERSER else 2
    before, after = (transformer_trace(name, text) for text in (sentence, other))
    own = before.encoder_attention.keys[FIRST_HEAD.layer, FIRST_HEAD.head, first]
    moved = after.encoder_attention.keys[FIRST_HEAD.layer, FIRST_HEAD.head, last]
    assert np.abs(own - moved).max() > 0.01
    told = predicted(opened(screen, 11), 11, 0)
    assert CAME_TRUE in told
    assert f"Components 1 to 4 before: {vector(own[:4])}. After, in the other place: {vector(moved[:4])}" in told


def test_the_weight_in_return_is_the_transposed_one() -> None:
    lesson = trace(DEFAULT, "I love you.", "")
    asked, made = answers_back(lesson), transformer_trace(transformer_beside(DEFAULT), "I love you.")
    assert asked
    weights = made.encoder_attention.weights[0, 1][:-2, :-2]  # without “.” and `</s>`
    pair = next(
        (i, j) for i, j in np.argwhere(weights >= 0) if f"of {percent(float(weights[i, j]))}." in asked.question
    )
    assert f"**{percent(float(weights[pair[::-1]]))}**" in asked.answer
    assert asked.right == (1 if weights[pair[::-1]] > weights[pair] else 2)


def test_the_most_important_of_the_heaviest_tokens_is_the_one_whose_absence_changes_most(shipped: Pretrained) -> None:
    lesson = trace(DEFAULT, SENTENCE, "")
    asked = most_important(lesson)
    assert asked
    step, own = asked.step - 1, lesson
    places = sorted(np.argsort(-own.weights[step, :-1])[:3].tolist())
    left_out = leave_one_out(shipped, own)[step]
    assert asked.right == int(np.argmax(left_out[places]))
    assert all(f": {percent(float(left_out[place]))}" in asked.answer for place in places)


@pytest.mark.parametrize(("own", "right"), [((0.7, 0.7), 0), ((0.1, 0.1), 1), ((0.7, 0.1), 2)])
def test_exposure_bias_is_judged_by_the_pairs_of_runs(
    own: tuple[float, ...], right: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those fed the truth lose 0.3."""
    runs = [Exposure(seed, 1.0, 0.8, 0.5) for seed in range(2)]
    runs += [Exposure(seed, 0.0, 0.8, after) for seed, after in enumerate(own)]
    monkeypatch.setattr(limits_chapters, "recorded", lambda: runs)
    asked = limits_chapters.fed_own(trace(DEFAULT, EXAMPLE, ""))
    assert asked.right == right
    assert "80.0% after the right numbers and 50.0% after its own" in asked.answer
