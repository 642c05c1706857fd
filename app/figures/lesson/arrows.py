"""Vectors of two numbers as arrows, and a context inside the triangle of three annotations."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.theme import CATEGORIES

SOURCE, TARGET = CATEGORIES[0], CATEGORIES[1]
Point = Float[ndarray, "2"]
Span = tuple[float, float]


def arrows(query: Point, annotations: Mapping[str, Point], reach: float) -> go.Figure:
    """Draw the query in the target's colour, the annotations in the source's; both axes go from −reach to reach."""
    figure = go.Figure()
    for name, tip in annotations.items():
        _arrow(figure, name, tip, SOURCE, 3)
    _arrow(figure, "query", query, TARGET, 4)
    span = (-reach - 0.5, reach + 0.5)
    return _square(figure, span, span)


def triangle(annotations: Mapping[str, Point], context: Point) -> go.Figure:
    """Draw three annotations as corners, and the context among them."""
    figure, corners = go.Figure(), list(annotations.values())
    closed = [*corners, corners[0]]
    figure.add_scatter(
        x=[corner[0] for corner in closed],
        y=[corner[1] for corner in closed],
        mode="lines",
        fill="toself",
        fillcolor="rgba(0,114,178,0.12)",
        line={"color": SOURCE, "width": 2},
        hoverinfo="skip",
        name="triangle",
    )
    for name, corner in annotations.items():
        _dot(figure, name, corner, "top center", {"color": SOURCE, "size": 11, "symbol": "circle"})
    _dot(figure, "context", context, "bottom center", {"color": TARGET, "size": 15, "symbol": "diamond"})
    across, up = ((min(values) - 0.7, max(values) + 0.7) for values in zip(*corners, strict=True))
    return _square(figure, across, up)


def _arrow(figure: go.Figure, name: str, tip: Point, colour: str, width: int) -> None:
    figure.add_scatter(
        x=[0, tip[0]],
        y=[0, tip[1]],
        name=name,
        mode="lines+markers+text",
        line={"color": colour, "width": width},
        marker={"symbol": "arrow", "size": [0, 15], "angleref": "previous", "color": colour, "opacity": 1},
        text=["", f"<b>{name}</b>"],
        textposition="top center" if tip[1] >= 0 else "bottom center",
        cliponaxis=False,
        hovertemplate=f"{name}: (%{{x:.2f}}, %{{y:.2f}})<extra></extra>",
    )


def _dot(figure: go.Figure, name: str, place: Point, beside: str, marker: dict[str, Any]) -> None:
    figure.add_scatter(
        x=[place[0]],
        y=[place[1]],
        name=name,
        mode="markers+text",
        text=[f"<b>{name}</b>"],
        textposition=beside,
        cliponaxis=False,
        marker=marker,
        hovertemplate="%{fullData.name}: (%{x:.3f}, %{y:.3f})<extra></extra>",
    )


def _square(figure: go.Figure, across: Span, up: Span) -> go.Figure:
    """Make one unit equally long in both directions."""
    axis = {"dtick": 1, "zeroline": True, "zerolinewidth": 2, "constrain": "domain"}
    figure.update_layout(
        height=430,
        showlegend=False,
        xaxis=axis | {"range": list(across), "title": {"text": "first number"}},
        yaxis=axis | {"range": list(up), "title": {"text": "second number"}, "scaleanchor": "x"},
    )
    return figure
