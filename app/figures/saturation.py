"""Saturation: how large the greatest of several weights becomes with the size of the vectors, with and without √d."""

from collections.abc import Sequence

import plotly.graph_objects as go

from regard.app.theme import CATEGORIES
from regard.model.examples.random_numbers import KEYS, Saturation


def saturated(measured: Sequence[Saturation]) -> go.Figure:
    """Draw the mean greatest weight in percent; each step to the right doubles the size."""
    sizes = [one.numbers for one in measured]
    lines = {
        "products as they are": [one.greatest for one in measured],
        "divided by √d": [one.greatest_divided for one in measured],
    }
    figure = go.Figure()
    for (name, shares), colour in zip(lines.items(), (CATEGORIES[1], CATEGORIES[0]), strict=True):
        figure.add_scatter(
            x=sizes,
            y=[100 * share for share in shares],
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"size": 8},
            hovertemplate="%{x} numbers: %{y:.2f}%<extra>%{fullData.name}</extra>",
        )
    figure.add_hline(
        y=100 / KEYS,
        line={"dash": "dot", "width": 1, "color": "#888888"},
        annotation={"text": f"equal shares among {KEYS}", "yanchor": "top"},
    )
    return figure.update_layout(
        height=340,
        xaxis={"type": "log", "tickvals": sizes, "title": {"text": "numbers in a query and a key"}},
        yaxis={"range": [0, 100], "ticksuffix": "%", "title": {"text": "greatest weight"}},
    )
