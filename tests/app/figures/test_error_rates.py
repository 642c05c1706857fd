"""The figure of error rates: what stands in it does not cover anything else."""

from typing import Any, cast

from regard.app.figures.error_rates import ABOVE, ROW, Rate, error_rates


def test_the_lines_of_baselines_leave_out_the_names_of_the_rows() -> None:
    rates = [Rate("Bahdanau", "output", 0.4, 0.6, 0.6), Rate("the diagonal", "", 0.6, 0.4, 0.4)]
    layout = cast(Any, error_rates(rates).layout)
    assert {line.x0 for line in layout.shapes} == {0.6}
    for name in layout.annotations:
        middle, half = name.y - ABOVE / ROW, 8 / ROW  # letters of up to 16 pixels
        assert all(line.y1 < middle - half or line.y0 > middle + half for line in layout.shapes)
