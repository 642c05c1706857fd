"""Alignment error rates side by side: models, each read in several ways, and baselines without attention."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import GAPS, LONGEST_NAME, matrix, plain, ticks
from regard.app.figures.table import PLACES
from regard.app.theme import CATEGORIES, LEGEND_AT_TOP, WEIGHTS

LABELLED = {"output": "produced", "input": "fed in"}  # the word that a row of weights belongs to
READINGS = {  # sources of a model's links
    **{rows: f"weights, row of the word {whose}" for rows, whose in LABELLED.items()},
    "posterior": "posterior, knowing the word",
    "posterior_hmm": "posterior with jumps",
}


class Rate(NamedTuple):
    """The agreement with people's links of a model under one reading, or of a baseline (no reading)."""

    name: str
    rows: str  # one of READINGS
    aer: float
    precision: float
    recall: float
    mass: float | None = None


def rate(value: float) -> str:
    """Format a rate with three decimals, as published tables do."""
    return f"{value:.3f}"


ROW, ABOVE = 48, 18  # pixels of a row, and of its name above its line
BESIDE_NAME = 0.19  # of a row, from its line to its name
BARE = {"showticklabels": False, "showgrid": True, "zeroline": False}  # names stand above the rows
SERIES = {
    "output": (READINGS["output"], CATEGORIES[1], "circle", "middle right"),
    "input": (READINGS["input"], CATEGORIES[0], "diamond-open", "middle right"),
    "posterior": (READINGS["posterior"], CATEGORIES[2], "triangle-up", "bottom center"),
    "posterior_hmm": (READINGS["posterior_hmm"], CATEGORIES[2], "triangle-up-open", "middle left"),
    "": ("baseline", CATEGORIES[-1], "square", "middle right"),
}


def error_rates(rates: Sequence[Rate]) -> go.Figure:
    """Draw a line for each model and baseline, in the order given; a point for each rate, its number beside it."""
    names = list(dict.fromkeys(each.name for each in rates))
    figure = go.Figure()
    for rows, (series, colour, symbol, beside) in SERIES.items():
        chosen = [each for each in rates if each.rows == rows]
        if chosen:
            figure.add_scatter(
                x=[each.aer for each in chosen],
                y=[names.index(each.name) for each in chosen],
                name=series,
                mode="markers+text",
                text=[rate(each.aer) for each in chosen],
                textposition=beside,
                marker={"color": colour, "symbol": symbol, "size": 11, "line": {"width": 2, "color": colour}},
                customdata=[plain(each.name, LONGEST_NAME) for each in chosen],
                hovertemplate="%{customdata}: %{x:.4f}<extra>%{fullData.name}</extra>",
                cliponaxis=False,
                meta=PLACES,
            )
    dots = {"type": "line", "line": {"dash": "dot", "width": 1, "color": CATEGORIES[-1]}, "layer": "below"}
    baselines = [each.aer for each in rates if not each.rows]
    figure.update_layout(
        shapes=[
            {**dots, "x0": aer, "x1": aer, "y0": place - BESIDE_NAME, "y1": place + 1 - 2 * ABOVE / ROW + BESIDE_NAME}
            for aer in baselines
            for place in range(len(names))
        ],
        xaxis={"title": {"text": "AER, lower is closer to people's links"}, "range": [0, 1]},
        yaxis={**ticks(tuple(names), LONGEST_NAME), **BARE, "range": [len(names) - 0.5, -0.5]},
        legend=LEGEND_AT_TOP,
        height=150 + ROW * len(names),
        margin={"l": 10, "r": 50, "t": 50, "b": 60},
    )
    for place, name in enumerate(names):
        left = {"x": 0, "xref": "paper", "xanchor": "left", "showarrow": False}
        figure.add_annotation(left, text=plain(name, LONGEST_NAME), y=place, yshift=ABOVE)
    return figure


def head_error_rates(heads: Sequence[Sequence[float]], layers: Sequence[float]) -> go.Figure:
    """Draw a row for each layer, a column for each head, and one for the layer's mean; brighter is better."""
    rates = np.column_stack([np.array(heads), np.array(layers)])
    columns = (*(f"head {head + 1}" for head in range(rates.shape[1] - 1)), "mean of heads")
    cells = go.Heatmap(
        z=rates,
        zmin=0,
        zmax=1,
        colorscale=WEIGHTS,
        reversescale=True,
        text=[[rate(value) for value in row] for row in rates],
        texttemplate="%{text}",
        hovertemplate="layer %{y}, column %{x}: AER %{z:.3f}<extra></extra>",
        colorbar={"title": {"text": "AER"}},
        **GAPS,
    )
    return matrix(cells, [f"layer {row + 1}" for row in range(len(rates))], columns, 110 + 44 * len(rates))
