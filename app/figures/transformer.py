"""Positions of a Transformer: their encodings, and the products of these.  Vaswani et al. (2017), section 3.5."""

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.theme import CATEGORIES, around_zero

STARTS = (0, 10, 20, 30)  # positions from which products are drawn
MARKERS = ("circle-open", "square-open", "diamond-open", "x-thin-open")


def encodings(table: Float[ndarray, "T D"]) -> go.Figure:
    """Draw a row for each position, a column for each component."""
    figure = go.Figure().add_heatmap(
        z=table,
        **around_zero(1),
        hovertemplate="position %{y}, component %{x}: %{z:.3f}<extra></extra>",
    )
    return figure.update_layout(
        height=360,
        xaxis={"title": {"text": "component"}, "showgrid": False},
        yaxis={"title": {"text": "position"}, "autorange": "reversed", "showgrid": False},
    )


def products(table: Float[ndarray, "T D"]) -> go.Figure:
    """Draw the product of a position's encoding with each later one, by distance, from several positions."""
    figure = go.Figure()
    for place, start in enumerate(start for start in STARTS if start < len(table)):
        later = table[start:] @ table[start]
        figure.add_scatter(
            x=np.arange(len(later)),
            y=later,
            name=f"from position {start}",
            mode="markers" if place else "lines+markers",
            marker={"color": CATEGORIES[place], "symbol": MARKERS[place], "size": 4 + 2 * place},
            hovertemplate="%{x} further: %{y:.3f}<extra>%{fullData.name}</extra>",
        )
    return figure.update_layout(
        height=360,
        xaxis={"title": {"text": "how many positions further"}, "showgrid": False},
        yaxis={"title": {"text": "dot product"}},
    )
