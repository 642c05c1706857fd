"""The context as a weighted sum: each row of H times its weight, stacked by component, or as arrows head to tail."""

from collections.abc import Iterator, Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.figures.table import LOOKS
from regard.app.theme import CATEGORIES, LETTERING, MARGIN

HEIGHT = 400
CONTEXT = "#888888"
LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
ROOM = 0.12  # around the arrows, as a share of the longest side


def stacked_sum(H: Float[ndarray, "S D"], weights: Float[ndarray, " S"], names: Sequence[str]) -> go.Figure:
    """Draw for each component k the bars α_i h_ik stacked, below 0 if negative; a mark shows c_k."""
    parts = weights[:, None] * H
    numbers = list(range(H.shape[1]))
    figure = go.Figure()
    for part, colour, label in zip(parts, CATEGORIES, _labels(weights, names), strict=False):
        figure.add_bar(x=numbers, y=part, name=label, marker={"color": colour}, hovertemplate=_HOVER)
    figure.add_scatter(
        x=numbers,
        y=parts.sum(axis=0),
        name="context c",
        mode="markers",
        marker={"symbol": "diamond", "size": 15, "color": "#FFFFFF", "line": {"width": 3, "color": "#222222"}},
        hovertemplate=_HOVER,
    )
    return figure.update_layout(
        barmode="relative",
        bargap=0.35,
        font=LETTERING,
        height=HEIGHT,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"tickvals": numbers, "ticktext": [f"c<sub>{k + 1}</sub>" for k in numbers], "fixedrange": True},
        yaxis={"title": {"text": "weight × number"}, "zeroline": True, "fixedrange": True},
    )


def head_to_tail(H: Float[ndarray, "S 2"], weights: Float[ndarray, " S"], names: Sequence[str]) -> go.Figure:
    """Draw every α_i h_i as an arrow that begins where the previous one ends, and the context from origin to last tip.
    The thin lines are the whole h_i, from the origin."""
    ends = np.vstack([np.zeros(2), np.cumsum(weights[:, None] * H, axis=0)])
    figure = go.Figure()
    for whole, colour in zip(H, CATEGORIES, strict=False):
        line = {"color": colour, "width": 1, "dash": "dot"}
        figure.add_scatter(
            x=[0, whole[0]], y=[0, whole[1]], mode="lines", line=line, meta=LOOKS, showlegend=False, hoverinfo="skip"
        )
    arrows = zip(ends, ends[1:], CATEGORIES, _labels(weights, names), strict=False)
    for start, end, colour, label in (*arrows, (ends[0], ends[-1], CONTEXT, "context c")):
        figure.add_scatter(
            x=[start[0], end[0]],
            y=[start[1], end[1]],
            name=label,
            mode="lines+markers",
            line={"color": colour, "width": 4 if colour == CONTEXT else 3},
            marker={"symbol": ["circle", "arrow"], "size": [1, 14], "angleref": "previous", "color": colour},
            hovertemplate="%{x:.4f}, %{y:.4f}<extra>%{fullData.name}</extra>",
        )
    low, high = _span(np.vstack([H, ends]))
    return figure.update_layout(
        font=LETTERING,
        height=HEIGHT,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"range": [low[0], high[0]], "zeroline": True, "fixedrange": True, "title": {"text": "first number"}},
        yaxis={
            "range": [low[1], high[1]],
            "zeroline": True,
            "fixedrange": True,
            "scaleanchor": "x",
            "title": {"text": "second number"},
        },
    )


def _labels(weights: Float[ndarray, " S"], names: Sequence[str]) -> Iterator[str]:
    for weight, name in zip(weights, names, strict=True):
        yield f"{plain(name)} · {100 * weight:.1f}%"


def _span(points: Float[ndarray, "N 2"]) -> tuple[Float[ndarray, " 2"], Float[ndarray, " 2"]]:
    """Return least and greatest of both axes, with some room around."""
    low, high = points.min(axis=0), points.max(axis=0)
    room = ROOM * max(float((high - low).max()), 1.0)
    return low - room, high + room


_HOVER = "%{x}, %{fullData.name}: %{y:.5f}<extra></extra>"
