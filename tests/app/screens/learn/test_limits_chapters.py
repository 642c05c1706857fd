import re
import xml.etree.ElementTree as ET

import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.figures.lesson import PALETTES
from regard.app.models.traces import REVERSER, transformer_beside, transformer_trace
from regard.app.screens.learn.chapter import Diagram
from regard.app.screens.learn.exercises import GUESSED, MISSED, vector
from regard.app.screens.learn.limits_chapters import FIRST_HEAD, LEARNING, NUMBERS, followed
from regard.app.theme import percent
from regard.app.ui.conclusions import exposure_conclusion
from regard.app.visitor.question import EXAMPLE
from regard.model.analysis.faithfulness import counterfactual, leave_one_out, replaced
from regard.model.checkpoint import PRETRAINED, Pretrained, load
from regard.model.synthetic.exposure_bias import recorded
from regard.model.synthetic.tasks import pair, sample
from regard.model.training.snapshots import SNAPSHOTS, Snapshots
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, array, figure, markdown, opened, predicted
from tests.support.screens import html


def test_the_tokens_that_stay_are_counted(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    stays = counterfactual(shipped, trace, "uniform").stays
    opened(screen, 9, sentence=SENTENCE)
    share = stays.sum() / len(stays)
    right = 0 if share >= 2 / 3 else 1 if share > 1 / 3 else 2
    told = predicted(screen, 9, right)
    assert CAME_TRUE in told
    assert f"{stays.sum()} of {len(stays)} tokens stay with the same weight everywhere" in told


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
    evenly, moved = (counterfactual(shipped, trace, kind).stays for kind in ("uniform", "permuted"))
    blindly = replaced(shipped, trace, np.zeros_like(trace.weights)).stays
    even, nothing, lost = int(evenly.sum()), int(blindly.sum()), int((evenly & ~blindly).sum())
    assert lost > 1
    opened(screen, 9)
    told = predicted(screen, 9, 0)
    assert f"{moved.sum()} of {len(moved)} with the weights in another order." in told
    assert f"With no context at all, {nothing} of {len(trace.target)} {'stays' if nothing == 1 else 'stay'}" in told
    assert f"of the {even} tokens that stay with them, {lost} are lost without any context." in told
    rows = re.findall(r"<td>(\d+ of \d+)</td>", html(screen))
    assert rows == [f"{kept} of {len(trace.target)}" for kept in (len(trace.target), even, moved.sum(), nothing)]


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
    assert GUESSED in told
    assert percent(float(left_out[most])) in told
    assert MISSED in markdown(screen.pills(key=key).set_value((most + 1) % 3).run())


def test_of_a_translation_that_keeps_no_token_nothing_is_said_of_those_that_stay(
    screen: AppTest, shipped: Pretrained
) -> None:
    assert not counterfactual(shipped, translate(shipped, ["Stop"])[0], "uniform").stays.any()
    opened(screen, 9, sentence="Stop")
    told = predicted(screen, 9, 0)
    assert "All tokens change with even weights here." in told
    assert "that stay" not in told


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
            array(figure(screen)["data"][0]["z"]), 100 * watched.moments[place].weights[0], rtol=1e-4
        )


def test_how_both_networks_write_after_their_own_numbers_is_told_once_it_was_predicted(screen: AppTest) -> None:
    opened(screen, 10)
    taught = [each for each in recorded() if each.teacher_forcing == 1]
    assert exposure_conclusion(recorded()) not in markdown(screen)
    second = next(radio for radio in screen.radio if str(radio.key).startswith("more-10-"))
    told = markdown(second.set_value(0).run())
    assert CAME_TRUE in told
    assert exposure_conclusion(recorded()) in told
    assert f"| {percent(float(np.mean([each.lost for each in taught])))} [" in told


def test_the_picture_is_of_the_recorded_weights() -> None:
    watched = Snapshots.load(PRETRAINED / "reverse-gru" / SNAPSHOTS)
    assert isinstance(LEARNING.picture, Diagram)
    root = ET.fromstring(LEARNING.picture.draw(PALETTES["light"]))
    drawn = [float(cell.attrib["fill-opacity"]) for cell in root.iter("{http://www.w3.org/2000/svg}rect")]
    names = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    recorded = {f"update {moment.update:,}": moment.weights[3] for moment in watched.moments}
    assert (names[0], names[-1]) == (next(iter(recorded)), list(recorded)[-1])
    np.testing.assert_allclose(drawn, np.concatenate([recorded[name].ravel() for name in names]), atol=0.005)
    assert watched.pairs[3].source == "9 1 7 9 1 2 7"


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
