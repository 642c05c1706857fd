from collections.abc import Callable

import numpy as np
import pytest

from regard.app.figures.context import contexts, growth, largest_change
from regard.model.alignment import token_label
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import force, translate
from tests.support.figures import csv_rows, marks

SENTENCES = ["I love you.", "The boy who is wearing a blue shirt is playing."]


@pytest.fixture(scope="module")
def attending(tiny_model: Pretrained) -> list[Trace]:
    return translate(tiny_model, SENTENCES)


@pytest.fixture(scope="module")
def without(make_model: Callable[..., Pretrained]) -> list[Trace]:
    return translate(make_model(score="none", initial_state="encoder"), SENTENCES)


def test_probabilities_and_likeness_are_drawn_in_percent(attending: list[Trace], without: list[Trace]) -> None:
    drawn = marks(growth([4, 11], [("a", attending), ("b", without)], [1.0, 0.25]))
    assert [list(line.x) for line in drawn] == [[4, 11]] * 3
    assert list(drawn[0].y) == [100 * trace.mean_probability for trace in attending]
    assert list(drawn[1].y) == [100 * trace.mean_probability for trace in without]
    assert list(drawn[2].y) == [100.0, 25.0]


def test_each_row_of_colours_is_the_context_of_its_step(attending: list[Trace]) -> None:
    drawn = marks(contexts(attending[1], 1.0))[0]
    assert np.array_equal(drawn.z, attending[1].contexts)
    assert list(drawn.x) == list(range(1, attending[1].contexts.shape[1] + 1))


def test_rows_of_contexts_are_told_apart_where_a_token_repeats(tiny_model: Pretrained) -> None:
    trace = force(tiny_model, [("I love you.", "le chat et le chien")])[0]
    assert trace.target.count(trace.target[0]) == 2
    found = list(dict.fromkeys(row["y"] for row in csv_rows(contexts(trace, 1.0))))
    assert len(found) == len(trace.target)
    assert found[0] == f"{token_label(trace.target[0])} (1)"


def test_without_attention_the_context_never_moves(without: list[Trace], attending: list[Trace]) -> None:
    assert [largest_change(trace.contexts) for trace in without] == [0.0, 0.0]
    assert min(largest_change(trace.contexts) for trace in attending) > 0
    for trace in without:
        ends = (trace.annotations[0] + trace.annotations[-1]) / 2
        assert np.allclose(trace.contexts, ends, atol=1e-6)
