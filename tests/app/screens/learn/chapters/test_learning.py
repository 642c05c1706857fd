"""The chapter on learning to look: what it reveals follows from the numbers on screen."""

import xml.etree.ElementTree as ET

import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.figures.lesson import PALETTES
from regard.app.screens.learn.chapter import Diagram
from regard.app.screens.learn.chapters.learning import CHAPTER, conclusion, followed
from regard.app.theme import percent
from regard.model.checkpoint import PRETRAINED, load
from regard.model.synthetic.place_keeping import SEQUENCES, PlaceKeeping, place_keeping
from regard.model.synthetic.tasks import pair, sample
from regard.model.training.snapshots import SNAPSHOTS, Snapshots
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, array, figure, markdown, opened, predicted
from tests.support.screens import html


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


def test_what_the_decoder_is_fed_decides_how_many_steps_stay_on_the_line(screen: AppTest) -> None:
    model = load(PRETRAINED / "reverse-gru")
    pairs = [pair("reverse", numbers) for numbers in sample(20, 10, SEQUENCES)]
    own = translate(model, [each.source for each in pairs])
    hits = [trace.weights.argmax(1)[step] == 19 - step for trace in own for step in range(min(20, len(trace.weights)))]
    shares = place_keeping(model, 20, 10)
    assert shares.own == np.mean(hits)
    assert shares.own > 0.98
    assert shares.one_wrong > 0.95
    assert shares.random < 0.6
    opened(screen, 10)
    assert conclusion(shares) == "One wrong number hardly disturbs it; many make it lose its place."
    assert conclusion(shares) in markdown(screen)
    assert f"<td>{percent(shares.random)}</td>" in html(screen)


def test_the_conclusion_follows_from_the_shares() -> None:
    assert conclusion(PlaceKeeping(1.0, 0.5, 0.5)).startswith("One wrong number makes it lose its place")
    assert conclusion(PlaceKeeping(1.0, 1.0, 0.99)).endswith("many hardly do.")


def test_the_picture_is_of_the_recorded_weights() -> None:
    watched = Snapshots.load(PRETRAINED / "reverse-gru" / SNAPSHOTS)
    assert isinstance(CHAPTER.picture, Diagram)
    root = ET.fromstring(CHAPTER.picture.draw(PALETTES["light"]))
    drawn = [float(cell.attrib["fill-opacity"]) for cell in root.iter("{http://www.w3.org/2000/svg}rect")]
    names = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    recorded = {f"update {moment.update:,}": moment.weights[3] for moment in watched.moments}
    assert (names[0], names[-1]) == (next(iter(recorded)), list(recorded)[-1])
    np.testing.assert_allclose(drawn, np.concatenate([recorded[name].ravel() for name in names]), atol=0.005)
    assert watched.pairs[3].source == "9 1 7 9 1 2 7"
