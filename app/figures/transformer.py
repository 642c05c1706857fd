"""Parts of a Transformer: the effect of dividing by √d on the greatest weight, and its positions.

Vaswani et al. (2017), Attention Is All You Need: section 3.2.1, footnote 4, and section 3.5.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.theme import CATEGORIES, around_zero
from regard.model.examples.transformer import KEYS, Saturation


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
            mode="lines+markers" if not place else "markers",
            line={"color": CATEGORIES[0], "width": 2},
            marker={
                "color": CATEGORIES[place],
                "symbol": MARKERS[place],
                "size": 4 + 2 * place,
                "line": {"width": 1.5},
            },
            hovertemplate="%{x} further: %{y:.3f}<extra>%{fullData.name}</extra>",
        )
    return figure.update_layout(
        height=360,
        xaxis={"title": {"text": "how many positions further"}, "showgrid": False},
        yaxis={"title": {"text": "dot product"}},
    )
