"""The context as a blend, c = Σ α_i h_i: rows of H as cells, their shares, and ribbons as wide as weights into c."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.theme import around_zero, component

ROW, AROUND = 46, 84  # pixels of a row, and above and below all of them
GAP, RIBBON = 0.95, 0.7  # of a matrix's width: between rows and their shares, and of a ribbon's length
THICK = 0.8  # of a row's height, the ribbon of all weight
BETWEEN = 0.01  # of a row, so that the context stands in none
GREY = "#8A8F98"


def blend(H: Float[ndarray, "S D"], weights: Float[ndarray, " S"], names: Sequence[str]) -> go.Figure:
    """Draw H, each of its rows times its weight, and c; all cells have one scale, on which 0 is white."""
    rows, size = H.shape
    parts, middle = weights[:, None] * H, (rows - 1) / 2 + BETWEEN
    reach = float(np.abs(H).max()) or 1.0
    shares, context = (1 + GAP) * size, (2 + GAP + RIBBON) * size  # where their first columns stand
    figure = go.Figure()
    every = range(rows)
    drawn = (("h", H, 0, every), ("α h", parts, shares, every), ("c", (weights @ H)[None], context, [middle]))
    looks: dict[str, object] = around_zero(reach) | {"showscale": False, "xgap": 2}
    for label, cells, x, y in drawn:
        figure.add_heatmap(
            z=cells,
            x=[x + column for column in range(size)],
            y=[*map(float, y)],
            name=label,
            ygap=8,
            text=[[component(float(value)) for value in row] for row in cells],
            texttemplate="%{text}",
            hovertemplate=f"{label}: %{{z:.5f}}<extra></extra>",
            **looks,
        )
    figure.update_layout(
        shapes=_ribbons(weights, shares + size - 0.5, context - 0.5, middle),
        annotations=[
            *(_told(f"× {100 * weight:.1f}%", (1 + GAP / 2) * size - 0.5, row) for row, weight in enumerate(weights)),
            *(_told(head, x + (size - 1) / 2, -0.5, 32) for head, x in (("H", 0), ("shares", shares), ("c", context))),
        ],
        height=AROUND + ROW * rows,
        margin={"l": 10, "r": 10, "t": 56, "b": 10},
    )
    columns = {start + column: str(column + 1) for start in (0, shares, context) for column in range(size)}
    axis = {"showgrid": False, "zeroline": False, "ticks": ""}
    figure.update_xaxes(side="top", tickvals=list(columns), ticktext=list(columns.values()), **axis)
    rows_named = {"tickvals": [*range(rows), middle], "ticktext": [*map(plain, names), ""]}
    return figure.update_yaxes(range=[rows - 0.5, -0.5], automargin=True, **rows_named, **axis)


def _ribbons(weights: Float[ndarray, " S"], left: float, right: float, middle: float) -> list[dict[str, object]]:
    """Return the ribbons from shares to context, where they lie one below the other."""
    ends = middle + THICK * (np.cumsum(weights) - weights.sum() / 2)
    bend = (left + right) / 2
    shapes: list[dict[str, object]] = []
    for row, (weight, end) in enumerate(zip(THICK * weights, ends, strict=True)):
        top, bottom, start = row - weight / 2, row + weight / 2, end - weight
        path = (
            f"M {left} {top} C {bend} {top} {bend} {start} {right} {start} L {right} {end} "
            f"C {bend} {end} {bend} {bottom} {left} {bottom} Z"
        )
        shapes.append({"type": "path", "path": path, "fillcolor": GREY, "opacity": 0.6, "line": {"width": 0}})
    return shapes


def _told(text: str, x: float, y: float, above: int = 0) -> dict[str, object]:
    return {"x": x, "y": y, "yshift": above, "text": text, "showarrow": False, "font": {"size": 13}}
