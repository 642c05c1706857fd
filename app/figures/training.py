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

DASHES = "solid", "dash"
LOSSES = (("loss", "training, smoothed labels", "dot"), ("validation_loss", "validation", "solid"))  # of history.csv


class Point(NamedTuple):
    """A run after an update: its loss in nats per token, and the share of sequences it writes exactly, or NaN."""

    update: int
    loss: float
    exact: float


def practice_curves(runs: Sequence[tuple[str, Sequence[Point]]]) -> go.Figure:
    """Draw the loss above the share of held-out sequences that came out exactly, in percent, a line per run."""
    figure = _two_rows("loss, nats per token", "exact sequences, percent")
    for place, (name, points) in enumerate(runs):
        tested = [point for point in points if not isnan(point.exact)]
        look = plain(name, 40), CATEGORIES[place], DASHES[place]
        losses = _curve([point.update for point in points], [point.loss for point in points], *look)
        shares = _curve([point.update for point in tested], [100 * point.exact for point in tested], *look)
        figure.add_trace(losses.update(legendgroup=name), row=1, col=1)
        figure.add_trace(shares.update(legendgroup=name, mode="lines+markers", showlegend=False), row=2, col=1)
    figure.update_yaxes(rangemode="tozero", row=1, col=1)
    figure.update_yaxes(range=[-2, 103], ticksuffix="%", row=2, col=1)
    return figure.update_layout(height=480, margin={"t": 50}, showlegend=True, legend={"y": 1.08})


def losses(history: Sequence[Mapping[str, float]]) -> go.Figure:
    """Draw how the losses fell, in nats by update."""
    return go.Figure(_losses(history)).update_layout(
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
    figure = _two_rows("loss, nats per token", "mean entropy, bits")
    figure.add_traces(_losses(history), rows=1, cols=1)
    watched = (("this translation", unlikely), ("entropy of this sentence", entropies))
    for row, (name, values) in enumerate(watched, start=1):
        line = _curve(list(updates), values.tolist(), name, CATEGORIES[row - 1]).update(mode="lines+markers")
        sizes = [14 if moment == chosen else 7 for moment in range(len(updates))]
        figure.add_trace(line.update(marker={"size": sizes, "opacity": 1}), row=row, col=1)
    figure.add_vline(x=updates[chosen], line={"color": CATEGORIES[-1], "width": 1.5, "dash": "dash"})
    figure.update_xaxes(type="log", tickformat=",d", dtick=1).update_yaxes(rangemode="tozero")
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


def _two_rows(above: str, below: str) -> go.Figure:
    """Return an empty figure of two rows with these titles, which name quantity and unit, in the CSV too."""
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.12, subplot_titles=(above, below))
    figure.update_layout(meta={"y": above, "y2": below}).update_xaxes(title={"text": "update"}, row=2, col=1)
    return figure.update_annotations(font={"size": 14}, x=0, xanchor="left")


def _losses(history: Sequence[Mapping[str, float]]) -> list[go.Scatter]:
    lines = []
    for (column, name, dash), colour in zip(LOSSES, CATEGORIES[4:], strict=False):
        rows = [row for row in history if column in row]
        lines.append(_curve([row["update"] for row in rows], [row[column] for row in rows], name, colour, dash))
    return lines


def _curve(
    updates: Sequence[float], values: Sequence[float], name: str, colour: str, dash: str = "solid"
) -> go.Scatter:
    return go.Scatter(
        x=updates,
        y=values,
        name=name,
        mode="lines",
        line={"color": colour, "width": 2, "dash": dash},
        hovertemplate="update %{x:,}, %{fullData.name}: %{y:.4f}<extra></extra>",
    )
