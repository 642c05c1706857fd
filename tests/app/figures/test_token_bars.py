"""The figures of exchanged weights and of importance draw what the Python API gives, and nothing else."""

from typing import Any, cast

import numpy as np
import pytest

from regard.app.figures.heatmap import plain
from regard.app.figures.token_bars import (
    MARK,
    SHOWN_TOKENS,
    distributions,
    exchanged_weights,
    importance_bars,
    importance_heatmaps,
)
from regard.model.alignment import token_label
from regard.model.analysis.faithfulness import (
    COUNTERFACTUALS,
    Counterfactual,
    counterfactual,
    gradient_by_input,
    leave_one_out,
    replaced,
)
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from tests.support.figures import csv_rows, marks

OWN = "the model's own"
STEP = 1


@pytest.fixture(scope="module")
def looks(tiny_model: Pretrained, before: Trace) -> list[Counterfactual]:
    own = replaced(tiny_model, before, before.weights, OWN)
    return [own, *(counterfactual(tiny_model, before, kind) for kind in COUNTERFACTUALS)]


def test_weights_are_drawn_and_rows_of_both_figures_stand_at_the_same_height(
    before: Trace, looks: list[Counterfactual]
) -> None:
    figure = exchanged_weights(before, looks, STEP)
    for look, bar in zip(looks, marks(figure), strict=True):
        assert np.array_equal(bar.y, 100 * look.weights[STEP])
    left, right = (cast(Any, one.layout) for one in (figure, distributions(before, looks, STEP)))
    assert left.height == right.height
    assert left.margin.t == right.margin.t
    assert [note.y for note in left.annotations] == [note.y for note in right.annotations]


def test_a_distribution_has_the_likeliest_tokens_and_the_one_of_the_trace(
    before: Trace, looks: list[Counterfactual]
) -> None:
    own = plain(token_label(before.target[STEP]))
    for look, bar in zip(looks, marks(distributions(before, looks, STEP)), strict=True):
        assert len(bar.x) == SHOWN_TOKENS
        assert bar.x[0] == pytest.approx(100 * look.top_probabilities[STEP, 0])
        assert bar.x[list(bar.customdata).index(own)] == pytest.approx(100 * look.probabilities[STEP])


def test_the_token_of_the_trace_is_told_by_more_than_its_colour(before: Trace, looks: list[Counterfactual]) -> None:
    marked = [row for row in csv_rows(distributions(before, looks, STEP)) if row["x"].startswith(MARK)]
    assert [row["series"] for row in marked] == [look.kind for look in looks]
    assert {row["x"] for row in marked} == {MARK + token_label(before.target[STEP])}


def test_importance_is_drawn_as_measured(tiny_model: Pretrained, before: Trace) -> None:
    other = {"gradient_by_input": gradient_by_input, "leave_one_out": leave_one_out}
    measures = {"weight": before.weights} | {name: measure(tiny_model, before) for name, measure in other.items()}
    for bar, values in zip(marks(importance_bars(before, measures, STEP)), measures.values(), strict=True):
        assert np.array_equal(bar.y, 100 * values[STEP], equal_nan=True)
    for matrix, values in zip(marks(importance_heatmaps(before, measures)), measures.values(), strict=True):
        assert np.array_equal(matrix.z, 100 * values, equal_nan=True)
