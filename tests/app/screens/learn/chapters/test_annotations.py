import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.theme import percent
from regard.app.visitor.question import EXAMPLE
from regard.model.analysis.claims import by_words, moved
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, array, figure, opened, predicted


def test_the_first_annotation_moves_when_the_last_word_changes(screen: AppTest, shipped: Pretrained) -> None:
    before, after = (by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I love me."))
    shares = moved(before, after)
    told = predicted(opened(screen, 2), 2, 1)
    assert f"“I” moves by {percent(shares[0])}" in told
    assert f"“you” by {percent(shares[2])}" in told
    assert (CAME_TRUE in told) == (0 < shares[0] < shares[2])


def test_the_bars_are_those_of_the_word_that_was_typed(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 2).text_input(key="instead").set_value("hate").run()
    shares = moved(*(by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I hate you.")))
    alt = screen.get("plotly_chart")[0].proto.alt
    assert "annotation of each word moved" in alt
    drawn = figure(screen)["data"][0]["y"]
    np.testing.assert_allclose(array(drawn), 100 * shares, rtol=1e-5)


@pytest.mark.parametrize("typed", ["", "   ", "two words", "<b>", "\u0958", "ꙮ" * 40])
def test_what_is_no_single_word_is_a_hint(typed: str, screen: AppTest) -> None:
    opened(screen, 2).text_input(key="instead").set_value(typed).run()
    assert not screen.exception
    assert any("one word" in info.value for info in screen.info)


@pytest.mark.parametrize("sentence", ["7 7 1 3", "5 7 1 5"])
def test_a_model_of_numbers_is_given_other_numbers(sentence: str, screen: AppTest) -> None:
    first, *_, last = sentence.split()
    opened(screen, 2, model="reverse-gru", sentence=sentence)
    said = re.search("“([^”]+)”, is replaced by “([^”]+)”", screen.radio(key="predicted-2").label)
    assert said
    assert said[1] == last
    for old, new in ((last, said[2]), (first, str(screen.text_input(key="instead").value))):
        assert new != old
        assert new in "0123456789"
