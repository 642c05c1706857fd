from itertools import pairwise
from typing import Any, cast

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.app.figures.saturation import saturated
from regard.app.figures.table import to_csv
from regard.app.figures.weighted_sum import head_to_tail, stacked_sum
from regard.model.examples.dot_product import QUERY
from regard.model.examples.random_numbers import saturation

VALUES = QUERY.run()
NAMES = ("h1", "h2", "h3", "h<b>4")


def traces(figure: go.Figure) -> list[Any]:
    """Return the traces as Plotly draws them; its own types have no attributes."""
    return list(cast(Any, figure.data))


@settings(max_examples=20)
@given(rows=st.integers(1, 8), numbers=st.integers(1, 8), seed=st.integers(0, 99))
def test_bars_are_the_weighted_rows_and_the_marks_their_sum(rows: int, numbers: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    H, weights = generator.normal(size=(rows, numbers)), generator.dirichlet(np.ones(rows))
    *bars, marks = traces(stacked_sum(H, weights, [str(row) for row in range(rows)]))
    assert np.array([bar.y for bar in bars]) == pytest.approx(weights[:, None] * H)
    assert np.array(marks.y) == pytest.approx(weights @ H)


def test_arrows_follow_each_other_from_the_origin_to_the_context() -> None:
    H, weights, context = VALUES["H"], VALUES["weights"], VALUES["context"]
    arrows = [trace for trace in traces(head_to_tail(H, weights, NAMES)) if trace.showlegend is None]
    *steps, whole = [np.array([arrow.x, arrow.y]).T for arrow in arrows]
    assert steps[0][0].tolist() == [0, 0]
    for before, after in pairwise(steps):
        assert before[1].tolist() == after[0].tolist()
    assert np.array([end - start for start, end in steps]) == pytest.approx(weights[:, None] * H)
    assert steps[-1][1] == pytest.approx(context)
    assert whole == pytest.approx(np.array([[0, 0], context]))


def test_names_and_shares_are_told_and_no_name_is_markup() -> None:
    bars = traces(stacked_sum(VALUES["H"], VALUES["weights"], NAMES))
    assert bars[0].name == f"h1 · {100 * VALUES['weights'][0]:.1f}%"
    assert bars[3].name.startswith("h&lt;b&gt;4")


def test_the_csv_of_the_arrows_has_no_line_for_what_was_not_weighed() -> None:
    lines = to_csv(head_to_tail(VALUES["H"], VALUES["weights"], NAMES)).splitlines()[1:]
    assert len(lines) == 2 * (len(NAMES) + 1)
    assert all(line.split(",")[0] for line in lines)


def test_saturation_draws_both_lines_in_percent() -> None:
    measured = [saturation(size) for size in (1, 4, 16)]
    taken, divided = traces(saturated(measured))
    assert list(taken.y) == pytest.approx([100 * one.greatest for one in measured])
    assert list(divided.y) == pytest.approx([100 * one.greatest_divided for one in measured])
