"""Training curves: how networks learned a task of numbers, by update."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES

DASHES, SYMBOLS = ("solid", "dash"), ("circle", "square")


class Point(NamedTuple):
    """A run after an update: its loss in nats per token, and the share of sequences it writes exactly, or NaN."""

    update: int
    loss: float
    exact: float


def practice_curves(runs: Sequence[tuple[str, Sequence[Point]]]) -> go.Figure:
    """Draw the loss above the share of held-out sequences that came out exactly, in percent, a line per run."""
    figure = two_rows("loss, nats per token", "exact sequences, percent", "update")
    for place, (name, points) in enumerate(runs):
        tested = [point for point in points if not isnan(point.exact)]
        style = {
            "name": plain(name, 40),
            "legendgroup": name,
            "line": {"color": CATEGORIES[place], "width": 2, "dash": DASHES[place]},
            "marker": {"symbol": SYMBOLS[place], "size": 6},
        }
        for row, drawn, values, form, mode in (
            (1, points, [point.loss for point in points], ".4f}", "lines"),
            (2, tested, [100 * point.exact for point in tested], ".1f}%", "lines+markers"),
        ):
            hover = f"%{{fullData.name}}, update %{{x:,}}: %{{y:{form}<extra></extra>"
            style |= {"mode": mode, "showlegend": row == 1, "hovertemplate": hover}
            figure.add_scatter(x=[point.update for point in drawn], y=values, row=row, col=1, **style)
    figure.update_yaxes(rangemode="tozero", row=1, col=1)
    figure.update_yaxes(range=[-2, 103], ticksuffix="%", row=2, col=1)
    return figure.update_layout(height=480, margin={"t": 50}, showlegend=True, legend={"y": 1.08})


def two_rows(above: str, below: str, across: str, gap: float = 0.12) -> go.Figure:
    """Return an empty figure of two rows with these titles and one axis, `across`; `gap` is a share of its height. Each
    title names the quantity and unit of its row, in the CSV too."""
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=gap, subplot_titles=(above, below))
    figure.update_layout(meta={"y": above, "y2": below}).update_xaxes(title={"text": across}, row=2, col=1)
    return figure.update_annotations(font={"size": 14}, x=0, xanchor="left")
