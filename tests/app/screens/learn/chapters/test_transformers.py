import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.models.traces import REVERSER, transformer_beside, transformer_trace
from regard.app.screens.learn.chapters.transformers import FIRST, NUMBERS
from regard.app.screens.learn.number_format import listed
from tests.support.lesson_visitor import CAME_TRUE, opened, predicted


def test_a_word_that_changes_places_gets_another_key(screen: AppTest) -> None:
    name = transformer_beside("en-fr")
    sentence, other = (NUMBERS, "9 1 4 1 5 3") if name == REVERSER else ("I love you.", "you love I.")
    first, last = 0, 5 if name == REVERSER else 2
    before, after = (transformer_trace(name, text) for text in (sentence, other))
    own = before.encoder_attention.keys[FIRST.layer, FIRST.head, first]
    moved = after.encoder_attention.keys[FIRST.layer, FIRST.head, last]
    assert np.abs(own - moved).max() > 0.01
    told = predicted(opened(screen, 11), 11, 0)
    assert CAME_TRUE in told
    assert f"Components 1 to 4 before: {listed(own[:4])}. After, in the other place: {listed(moved[:4])}" in told
