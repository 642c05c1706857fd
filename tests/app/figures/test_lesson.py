from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from regard.app.figures.lesson import arrows, memory, movement, triangle, weights
from regard.app.lesson.chapter import Chapter
from regard.app.lesson.chapters import CHAPTERS
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import translate
from tests.support.figures import marks


@pytest.fixture(scope="module")
def trace(tiny_model: Pretrained) -> Trace:
    return translate(tiny_model, ["The boy sees <b>$the$</b> old house."])[0]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.title)
def test_a_chapter_is_60_to_120_words(chapter: Chapter) -> None:
    assert 60 <= len(chapter.text.split()) <= 120


def test_memory_has_every_number_of_both_and_leaves_room_for_more(trace: Trace) -> None:
    figure: Any = memory(trace, trace, most=30)
    alone, every = marks(figure)
    np.testing.assert_allclose(alone.z, [(trace.annotations[0] + trace.annotations[-1]) / 2])
    np.testing.assert_array_equal(every.z, trace.annotations)
    assert figure.layout.yaxis.range[0] > max(every.y) + 30 - len(trace.source)
    assert not any("<b>" in name for name in figure.layout.yaxis.ticktext)


def test_both_lists_of_the_model_without_attention_are_drawn(
    trace: Trace, make_model: Callable[..., Pretrained]
) -> None:
    other = translate(make_model(score="none", initial_state="encoder", encoder_state=7), ["The boy sees."])[0]
    alone, start, every = marks(memory(other, trace, most=30))
    np.testing.assert_allclose(alone.z, [(other.annotations[0] + other.annotations[-1]) / 2])
    np.testing.assert_array_equal(start.z, [other.initial_state])
    np.testing.assert_array_equal(every.z, trace.annotations)
    assert alone.zmax == pytest.approx(np.quantile(np.abs([*other.annotations.flat, *trace.annotations.flat]), 0.99))


def test_movement_is_in_percent_and_marks_the_word_that_was_changed() -> None:
    figure: Any = movement(["a", "<i>", "c"], np.array([0.1, 1.2, 0.0]), 1)
    (bars,) = marks(figure)
    np.testing.assert_allclose(bars.y, [10, 120, 0])
    assert bars.marker.color[1] not in (bars.marker.color[0], bars.marker.color[2])
    assert figure.layout.xaxis.ticktext[1] == "<b>&lt;i&gt;</b><br>changed"
    assert list(bars.customdata) == ["a", "&lt;i&gt;", "c"]
    assert figure.layout.yaxis.range[1] > 120


def test_weights_are_in_percent() -> None:
    np.testing.assert_allclose(marks(weights("abc", np.array([0.5, 0.25, 0.25])))[0].y, [50, 25, 25])


def test_arrows_begin_at_zero_and_end_at_their_numbers() -> None:
    drawn = marks(arrows(np.array([1.0, 2.0]), {"I": np.array([-2.0, -1.0])}, 3))
    assert {one.name: (list(one.x), list(one.y)) for one in drawn} == {
        "I": ([0, -2], [0, -1]),
        "query": ([0, 1], [0, 2]),
    }


def test_the_context_is_drawn_among_its_corners() -> None:
    corners = {"a": np.array([0.0, 0.0]), "b": np.array([2.0, 0.0]), "c": np.array([0.0, 2.0])}
    drawn = {one.name: one for one in marks(triangle(corners, np.array([0.5, 1.0])))}
    assert (list(drawn["triangle"].x), list(drawn["triangle"].y)) == ([0, 2, 0, 0], [0, 0, 2, 0])
    assert (drawn["context"].x[0], drawn["context"].y[0]) == (0.5, 1.0)
