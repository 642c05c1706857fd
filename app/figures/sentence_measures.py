"""Sentence measures of a text: any number against any other, coloured by a third."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES, WEIGHTS
from regard.model.text_report.sentence_measures import NUMBERS, SentenceMeasures

HEIGHT = 250
MOST = {"bleu": 100, "chrf": 100, "aer": 1}
CLIPPED = 70  # characters of a sentence shown beside its point
PERCENT = ".4~p"  # with as many digits as tell neighbouring ticks apart


def plotted(rows: Sequence[SentenceMeasures], x: str, y: str, colour: str) -> list[SentenceMeasures]:
    """Return the sentences that have a point: those with both numbers, and the third if `colour` names one."""
    return [row for row in rows if all(getattr(row, name) is not None for name in (x, y, colour) if name)]


def scatter(rows: Sequence[SentenceMeasures], x: str, y: str, colour: str) -> go.Figure:
    """Draw a point for each sentence that has both numbers; `colour` names a third or is ""."""
    some = plotted(rows, x, y, colour)
    marker: dict[str, Any] = {"size": 8, "color": CATEGORIES[0], "opacity": 0.8}
    if colour:
        bar = {"title": {"text": NUMBERS[colour].label}, "thickness": 12, "outlinewidth": 0}
        bar |= {"tickformat": PERCENT} if NUMBERS[colour].share else {}
        values = [getattr(row, colour) for row in some]
        marker |= {"color": values, "colorscale": WEIGHTS, "colorbar": bar}
    marker["line"] = {"width": 1, "color": "#7F7F7F"}  # keeps the ends of the scale apart from the page
    figure = go.Figure().add_scatter(
        x=[getattr(row, x) for row in some],
        y=[getattr(row, y) for row in some],
        mode="markers",
        marker=marker,
        text=[f"{row.number}: {plain(row.source, CLIPPED)}" for row in some],
        hovertemplate="%{text}<br>%{x:.3g}, %{y:.3g}<extra></extra>",
        cliponaxis=False,
        name="sentences",
    )
    return figure.update_layout(height=HEIGHT, dragmode="select", xaxis=_axis(x), yaxis=_axis(y))


def _axis(name: str) -> dict[str, Any]:
    about = NUMBERS[name]
    axis: dict[str, Any] = {"title": {"text": about.label}, "zeroline": False}
    if about.share:
        axis["tickformat"] = PERCENT
    if most := 1 if about.share else MOST.get(name):
        axis["autorangeoptions"] = {"clipmin": 0, "clipmax": most}
    return axis
