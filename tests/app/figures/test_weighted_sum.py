from typing import Any, cast

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.app.figures.saturation import saturated
from regard.app.figures.weighted_sum import blend
from regard.app.theme import percent
from regard.app.worked_example.view import alt
from regard.model.examples.dot_product import QUERY
from regard.model.examples.random_numbers import saturation

VALUES = QUERY.run()
NAMES = ("h1", "h2", "h3", "h<b>4")


def traces(figure: go.Figure) -> list[Any]:
    """Return the traces as Plotly draws them; its own types have no attributes."""
    return list(cast(Any, figure.data))


@settings(max_examples=20)
@given(rows=st.integers(1, 8), numbers=st.integers(1, 8), seed=st.integers(0, 99))
def test_cells_are_the_rows_their_shares_and_the_sum_of_these_on_one_scale(rows: int, numbers: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    H, weights = generator.normal(size=(rows, numbers)), generator.dirichlet(np.ones(rows))
    whole, shares, context = traces(blend(H, weights, [str(row) for row in range(rows)]))
    assert np.array(whole.z) == pytest.approx(H)
    assert np.array(shares.z) == pytest.approx(weights[:, None] * H)
    assert np.array(context.z)[0] == pytest.approx(weights @ H)
    assert len({(one.zmin, one.zmax) for one in (whole, shares, context)}) == 1
    assert whole.zmax == -whole.zmin == pytest.approx(np.abs(H).max())


def test_ribbons_are_as_wide_as_weights_and_lie_side_by_side_in_the_context() -> None:
    weights = VALUES["weights"]
    shapes = cast(Any, blend(VALUES["H"], weights, NAMES).layout).shapes
    numbers = np.array([[float(word) for word in shape.path.split() if word not in "MCLZ"] for shape in shapes])
    starts, ends = numbers[:, 7], numbers[:, 9]
    assert (ends - starts) == pytest.approx((ends[-1] - starts[0]) * weights)
    assert starts[1:] == pytest.approx(ends[:-1])
    assert numbers[:, 15] - numbers[:, 1] == pytest.approx(ends - starts)


def test_no_name_is_markup_and_weights_are_told() -> None:
    layout = cast(Any, blend(VALUES["H"], VALUES["weights"], NAMES).layout)
    assert layout.yaxis.ticktext[3].startswith("h&lt;b&gt;4")
    percents = [told.text for told in layout.annotations if str(told.text).startswith("×")]
    assert percents == [f"× {100 * weight:.1f}%" for weight in VALUES["weights"]]
    assert f"{percent(VALUES['weights'][0])} of h1" in alt(NAMES, VALUES["weights"])


def test_saturation_draws_both_lines_in_percent() -> None:
    measured = [saturation(size) for size in (1, 4, 16)]
    taken, divided = traces(saturated(measured))
    assert list(taken.y) == pytest.approx([100 * one.greatest for one in measured])
    assert list(divided.y) == pytest.approx([100 * one.greatest_divided for one in measured])
