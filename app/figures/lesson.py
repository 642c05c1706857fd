"""Pictures of the lesson: blue belongs to the source, vermilion to the target."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.figures.token_bars import OUTSIDE, WHOLE
from regard.app.theme import CATEGORIES, around_zero
from regard.model.alignment import token_label
from regard.model.trace import Trace

GAP = 1.2  # rows between the one list and the others
CONTEXT, START = "context c", "state s₀"
ROW, TALLEST = 15, 560  # pixels of a row; of all rows together
NAMES_WIDTH = 92  # pixels for the names of rows


def given(alone: Trace) -> dict[str, Float[ndarray, " N"]]:
    """Return what a decoder without attention is given, by name: its constant context c, the mean of the first and the
    last annotation, and s_0 where the encoder makes it."""
    start = {START: alone.initial_state} if alone.initial_state.any() else {}
    return {CONTEXT: (alone.annotations[0] + alone.annotations[-1]) / 2, **start}


def memory(alone: Trace, trace: Trace, most: int) -> go.Figure:
    """Draw each number as a colour: the lists given to `alone`, then the annotations of `trace`. There is room for
    `most` tokens."""
    lists, tokens = given(alone), len(trace.source)
    names = [*lists, *map(token_label, trace.source)]
    top = len(lists) + GAP  # of the annotations
    places = [*map(float, range(len(lists))), *(top + place for place in range(tokens))]
    scale = float(np.quantile(np.abs(np.append(alone.annotations, trace.annotations)), 0.99))
    figure = go.Figure()
    alone_rows = [(row[None], [float(place)]) for place, row in enumerate(lists.values())]
    for values, at in (*alone_rows, (trace.annotations, places[len(lists) :])):
        figure.add_heatmap(
            z=values,
            x=list(range(1, values.shape[1] + 1)),
            y=at,
            **around_zero(scale),
            showscale=False,
            ygap=1,
            hovertemplate="number %{x}: %{z:.4f}<extra></extra>",
        )
    figure.update_layout(
        height=40 + min(TALLEST, round(ROW * (most + top))),
        margin={"l": NAMES_WIDTH, "r": 10, "t": 30, "b": 10, "autoexpand": False},
        xaxis={"visible": False},
        yaxis={
            "range": [top + most - 0.4, -0.6],
            "tickvals": places,
            "ticktext": [plain(name, 12) for name in names],
            "tickfont": {"size": 12},
            "showgrid": False,
            "zeroline": False,
        },
    )
    return figure


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


PLAIN: dict[str, Any] = {"bargap": 0.35, "showlegend": False}


def movement(words: Sequence[str], shares: Float[ndarray, " W"], changed: int) -> go.Figure:
    """Draw how far each word's annotation moved, in percent of its length; the word at `changed` was replaced."""
    labels = [plain(word, 12) for word in words]
    labels[changed] = f"<b>{labels[changed]}</b><br>changed"
    percent = 100 * shares
    figure = _bars(
        list(range(len(labels))), percent, [TARGET if place == changed else SOURCE for place in range(len(labels))]
    )
    figure.update_traces(
        texttemplate="%{y:.0f}%",
        customdata=[plain(word) for word in words],
        hovertemplate="%{customdata}: %{y:.3f}%<extra></extra>",
    )
    figure.update_layout(height=300)
    figure.update_xaxes(tickvals=list(range(len(labels))), ticktext=labels, automargin=True)
    figure.update_yaxes(range=[0, 1.2 * max(percent.max(), 1)], ticksuffix="%", title={"text": "moved by"}, nticks=5)
    return figure


def weights(words: Sequence[str], shares: Float[ndarray, " S"]) -> go.Figure:
    """Draw shares of a whole, in percent."""
    figure = _bars(list(words), 100 * shares, [SOURCE] * len(words))
    figure.update_traces(texttemplate="%{y:.1f}%", hovertemplate="%{x}: %{y:.4f}%<extra></extra>")
    figure.update_layout(height=320, margin={"b": 36})
    figure.update_yaxes(range=[0, 115], **WHOLE, title={"text": "weight"})
    return figure


def _bars(names: Sequence[Any], heights: Float[ndarray, " N"], colours: Sequence[str]) -> go.Figure:
    return go.Figure().add_bar(x=names, y=heights, marker={"color": list(colours)}, **OUTSIDE).update_layout(PLAIN)
