"""Training: losses by update, the share of sequences written exactly, and how attention on one sentence sharpened."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import NamedTuple

import plotly.graph_objects as go
from jaxtyping import Float
from numpy import argmin, diff, ndarray
from plotly.subplots import make_subplots

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES, component

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


HOVER = "update %{x:,}, %{fullData.name}: %{y:.4f}<extra></extra>"
LOSSES = (("loss", "training, smoothed labels", "dot"), ("validation_loss", "validation", "solid"))  # of history.csv


def losses(history: Sequence[Mapping[str, float]]) -> go.Figure:
    """Draw how the losses fell, in nats by update."""
    figure = go.Figure(_lines(history))
    return figure.update_layout(
        height=400,
        margin={"t": 30},
        xaxis={"title": {"text": "update"}},
        yaxis={"title": {"text": "loss, nats per token"}, "rangemode": "tozero"},
    )


def curves(
    history: Sequence[Mapping[str, float]],
    updates: Sequence[int],
    unlikely: Float[ndarray, " M"],
    entropies: Float[ndarray, " M"],
    chosen: int,
) -> go.Figure:
    """Draw the losses, one translation's among them, above the entropy of attention on it, in bits, by update. `chosen`
    is the place of the marked moment."""
    figure = two_rows("loss, nats per token", "mean entropy, bits", "update")
    for line in _lines(history):
        figure.add_trace(line, row=1, col=1)
    figure.add_trace(_watched("this translation", updates, unlikely, CATEGORIES[0], chosen), row=1, col=1)
    figure.add_trace(_watched("entropy of this sentence", updates, entropies, CATEGORIES[1], chosen), row=2, col=1)
    figure.add_vline(x=updates[chosen], line={"color": CATEGORIES[-1], "width": 1.5, "dash": "dash"})
    figure.update_xaxes(type="log", tickformat=",d", dtick=1)
    figure.update_yaxes(rangemode="tozero")
    return figure.update_layout(height=520, margin={"t": 70}, legend={"y": 1.1})


def sharpening(updates: Sequence[int], entropies: Float[ndarray, " M"]) -> str:
    """Say when attention on one sentence became most concentrated, if it did."""
    first, last = (component(entropies[place]) for place in (0, -1))
    if first == last or entropies[-1] > entropies[0]:
        return f"On this sentence attention did not sharpen: its mean entropy went from {first} to {last} bits."
    place = int(argmin(diff(entropies)))
    before, after = (component(entropies[moment]) for moment in (place, place + 1))
    return (
        f"On this sentence attention sharpened most between updates {updates[place]:,} and {updates[place + 1]:,}: its "
        f"mean entropy fell from {before} to {after} bits, and over the whole training from {first} to {last}."
    )


def _lines(history: Sequence[Mapping[str, float]]) -> list[go.Scatter]:
    return [
        go.Scatter(
            x=[row["update"] for row in history if column in row],
            y=[row[column] for row in history if column in row],
            name=name,
            mode="lines",
            line={"color": colour, "width": 2, "dash": dash},
            hovertemplate=HOVER,
        )
        for (column, name, dash), colour in zip(LOSSES, CATEGORIES[4:], strict=False)
    ]


def _watched(name: str, updates: Sequence[int], values: Float[ndarray, " M"], colour: str, chosen: int) -> go.Scatter:
    return go.Scatter(
        x=list(updates),
        y=values.tolist(),
        name=name,
        mode="lines+markers",
        line={"color": colour, "width": 2},
        marker={"size": [14 if moment == chosen else 7 for moment in range(len(updates))], "opacity": 1},
        hovertemplate=HOVER,
    )
