"""How networks learned a task of numbers: their curves by update, and what they write exactly by length."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.figures.heatmap import plain
from app.theme import CATEGORIES, LETTERING, MARGIN

DASHES, SYMBOLS = ("solid", "dash"), ("circle", "square")
EACH = 15  # lengths up to which each has its number on the axis
TRAINED = "rgba(127, 127, 127, 0.16)"  # behind the lengths that were trained on, in light and dark


class Point(NamedTuple):
    """A run after some update: its loss in nats per token, and what share of sequences it writes exactly, or NaN."""

    update: int
    loss: float
    exact: float


class Exactly(NamedTuple):
    """What share of so many sequences of one length came out exactly; the interval holds it with 95 % confidence."""

    length: int
    sequences: int
    share: float
    interval: tuple[float, float]


def practice_curves(runs: Sequence[tuple[str, Sequence[Point]]]) -> go.Figure:
    """Above the loss, below the share of held-out sequences that came out exactly, in percent, a line for each run."""
    figure = make_subplots(
        rows=2, shared_xaxes=True, vertical_spacing=0.12, subplot_titles=("loss, nats per token", "exact sequences")
    )
    for place, (name, points) in enumerate(runs):
        tested = [point for point in points if not isnan(point.exact)]
        style = {
            "name": plain(name, 40),
            "legendgroup": name,
            "line": {"color": CATEGORIES[place], "width": 2, "dash": DASHES[place]},
            "marker": {"symbol": SYMBOLS[place], "size": 6},
        }
        figure.add_scatter(
            x=[point.update for point in points],
            y=[point.loss for point in points],
            mode="lines",
            hovertemplate="%{fullData.name}, update %{x:,}: %{y:.4f}<extra></extra>",
            row=1,
            col=1,
            **style,
        )
        figure.add_scatter(
            x=[point.update for point in tested],
            y=[100 * point.exact for point in tested],
            mode="lines+markers",
            showlegend=False,
            hovertemplate="%{fullData.name}, update %{x:,}: %{y:.1f} %<extra></extra>",
            row=2,
            col=1,
            **style,
        )
    figure.update_yaxes(rangemode="tozero", row=1, col=1)
    figure.update_yaxes(range=[-2, 103], ticksuffix=" %", row=2, col=1)
    figure.update_xaxes(title={"text": "update"}, row=2, col=1)
    figure.update_layout(
        font=LETTERING,
        height=480,
        margin=MARGIN | {"t": 50},
        showlegend=True,
        legend={"orientation": "h", "y": 1.08, "yanchor": "bottom"},
    )
    return figure.update_annotations(font={"size": 14}, x=0, xanchor="left")


def exact_by_length(models: Sequence[tuple[str, Sequence[Exactly]]], trained: tuple[int, int]) -> go.Figure:
    """What each model writes exactly, by length, in percent; a bar reaches over the interval.

    `trained` are the shortest and the longest length that they learned from, which are marked.
    """
    figure = go.Figure([_line(name, rows, place) for place, (name, rows) in enumerate(models)])
    longest = max(row.length for _, rows in models for row in rows)
    figure.add_vrect(x0=trained[0] - 0.5, x1=trained[1] + 0.5, fillcolor=TRAINED, line_width=0, layer="below")
    figure.add_annotation(
        x=sum(trained) / 2, y=1, yref="paper", yanchor="bottom", text="lengths trained on", showarrow=False
    )
    return figure.update_layout(
        font=LETTERING,
        height=400,
        margin=MARGIN | {"t": 30},
        showlegend=True,
        legend={"orientation": "h", "y": 1.1, "yanchor": "bottom"},
        xaxis={"title": {"text": "numbers in the sequence"}, "dtick": 1 if longest <= EACH else 5, "showgrid": False},
        yaxis={"range": [-2, 103], "ticksuffix": " %"},
    )


def _line(name: str, rows: Sequence[Exactly], place: int) -> go.Scatter:
    ends = [row.interval for row in rows]
    return go.Scatter(
        x=[row.length for row in rows],
        y=[100 * row.share for row in rows],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [100 * (high - row.share) for row, (_, high) in zip(rows, ends, strict=True)],
            "arrayminus": [100 * (row.share - low) for row, (low, _) in zip(rows, ends, strict=True)],
            "thickness": 1,
        },
        name=plain(name, 40),
        mode="lines+markers",
        line={"color": CATEGORIES[place], "width": 2, "dash": DASHES[place]},
        marker={"symbol": SYMBOLS[place], "size": 8},
        customdata=[row.sequences for row in rows],
        hovertemplate="%{fullData.name}, length %{x}: %{y:.1f} % of %{customdata:,}<extra></extra>",
    )
