import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.transformers import REVERSER, transformer_beside, transformer_trace
from regard.app.screens.learn.chapters.transformers import FIRST, NUMBERS, exchanged, found
from regard.app.screens.learn.number_format import listed
from tests.support.lesson_visitor import CAME_TRUE, opened, predicted


def test_words_that_change_places_find_other_numbers_but_not_without_positions(screen: AppTest) -> None:
    name = transformer_beside("en-fr")
    trace = transformer_trace(name, NUMBERS if name == REVERSER else "I love you.")
    first, last = 0, 5 if name == REVERSER else 2
    own = trace.encoder_attention.mixed[FIRST.layer, FIRST.head, first]
    assert found(trace, trace.source_ids, first) == pytest.approx(own, abs=1e-5)
    assert np.abs(own - exchanged(trace, first, last)).max() > 0.01
    bare = found(trace, trace.source_ids, first, positions=False)
    assert bare == pytest.approx(exchanged(trace, first, last, positions=False), abs=1e-4)
    told = predicted(opened(screen, 11), 11, 0)
    assert CAME_TRUE in told
    assert f"Before: {listed(own[:4])}" in told
