"""Parts of a Transformer in figures."""

import pytest

from regard.app.figures.transformer import saturated
from regard.model.examples.transformer import saturation
from tests.support.figures import marks


def test_saturation_draws_both_lines_in_percent() -> None:
    measured = [saturation(size) for size in (1, 4, 16)]
    taken, divided = marks(saturated(measured))
    assert list(taken.y) == pytest.approx([100 * one.greatest for one in measured])
    assert list(divided.y) == pytest.approx([100 * one.greatest_divided for one in measured])
