"""Training: losses by update, the share of sequences written exactly, and how attention on one sentence sharpened."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import NamedTuple

import plotly.graph_objects as go
from jaxtyping import Float
from numpy import argmin, diff, ndarray
from plotly.subplots import make_subplots

from regard.app.figures.measures import PERCENT_AXIS, line, over, titled
from regard.app.theme import CATEGORIES, component

LOSS, HOVER = "loss, nats per token", "update %{x:,}: %{y:.4f}"
LOSSES = (("loss", "training, smoothed labels", "dot"), ("validation_loss", "validation", "solid"))  # of history.csv


class Point(NamedTuple):
    """A run after an update: its loss in nats per token, and the share of sequences it writes exactly, or NaN."""

    update: int
    loss: float
    exact: float


def practice_curves(runs: Sequence[tuple[str, Sequence[Point]]]) -> go.Figure:
    """Draw the loss above the share of held-out sequences that came out exactly, in percent, a line per run."""
    figure = _two_rows(LOSS, "exact sequences, percent")
    for place, (name, points) in enumerate(runs):
        tested = [point for point in points if not isnan(point.exact)]
        dash = {"dash": "dash" if place else "solid"}
        losses = line(name, [point.update for point in points], [point.loss for point in points], place, mode="lines")
        shares = line(name, [point.update for point in tested], [100 * point.exact for point in tested], place)
        figure.add_trace(losses.update(legendgroup=name, line=dash), row=1, col=1)
        figure.add_trace(shares.update(legendgroup=name, line=dash, showlegend=False), row=2, col=1)
    figure.update_yaxes(rangemode="tozero", row=1, col=1).update_yaxes(PERCENT_AXIS, row=2, col=1)
    return titled(figure, HOVER).update_layout(height=480, margin={"t": 50}, legend={"y": 1.08})


def losses(history: Sequence[Mapping[str, float]]) -> go.Figure:
    """Draw how the losses fell, in nats by update."""
    return over(_losses(history), "update", LOSS, HOVER).update_yaxes(rangemode="tozero")


def curves(
    history: Sequence[Mapping[str, float]],
    updates: Sequence[int],
    unlikely: Float[ndarray, " M"],
    entropies: Float[ndarray, " M"],
    chosen: int,
) -> go.Figure:
    """Draw the losses, one translation's among them, above the entropy of attention on it, in bits, by update. `chosen`
    is the place of the marked moment."""
    figure = _two_rows(LOSS, "mean entropy, bits")
    figure.add_traces(_losses(history), rows=1, cols=1)
    watched = (("this translation", unlikely), ("entropy of this sentence", entropies))
    for row, (name, values) in enumerate(watched, start=1):
        sizes = [14 if moment == chosen else 7 for moment in range(len(updates))]
        marker = {"size": sizes, "opacity": 1, "symbol": "circle"}
        figure.add_trace(line(name, updates, values.tolist(), row - 1, marker=marker), row=row, col=1)
    figure.add_vline(x=updates[chosen], line={"color": CATEGORIES[-1], "width": 1.5, "dash": "dash"})
    figure.update_xaxes(type="log", tickformat=",d", dtick=1).update_yaxes(rangemode="tozero")
    return titled(figure, HOVER).update_layout(height=520, margin={"t": 70}, legend={"y": 1.1})


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
    figure.update_layout(meta={"y": above, "y2": below}, showlegend=True).update_xaxes(
        title={"text": "update"}, row=2, col=1
    )
    return figure.update_annotations(font={"size": 14}, x=0, xanchor="left")


def _losses(history: Sequence[Mapping[str, float]]) -> list[go.Scatter]:
    lines = []
    for place, (column, name, dash) in enumerate(LOSSES, start=4):
        rows = [row for row in history if column in row]
        updates, values = ([row[key] for row in rows] for key in ("update", column))
        lines.append(line(name, updates, values, place, mode="lines", line={"dash": dash}))
    return lines
