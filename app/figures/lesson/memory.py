"""Diagrams of memory: the decoder gets one list of numbers for a sentence, or a list for every token."""

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.theme import LETTERING, SIGNED
from regard.model.arithmetic.quantity import token_label
from regard.model.trace import Trace

GAP = 1.2  # rows between the one list and the others
ALONE = "one list"
ROW, TALLEST = 15, 560  # pixels of a row; of all rows together
NAMES = 92  # pixels for the names of rows


def one_list(trace: Trace) -> Float[ndarray, " E"]:
    """Return the single list for a model without attention: the mean of the first and the last annotation."""
    return (trace.annotations[0] + trace.annotations[-1]) / 2


def memory(alone: Trace, trace: Trace, most: int) -> go.Figure:
    """Draw every number as a colour: the single list of `alone`, the lists of `trace`; `most` tokens fit."""
    names, tokens = [ALONE, *map(token_label, trace.source)], len(trace.source)
    places = [0.0, *(1 + GAP + place for place in range(tokens))]
    scale = float(np.quantile(np.abs(np.append(alone.annotations, trace.annotations)), 0.99))
    figure = go.Figure()
    for values, at in ((one_list(alone)[None], places[:1]), (trace.annotations, places[1:])):
        figure.add_heatmap(
            z=values,
            x=list(range(1, values.shape[1] + 1)),
            y=at,
            zmin=-scale,
            zmax=scale,
            colorscale=SIGNED,
            showscale=False,
            ygap=1,
            hovertemplate="number %{x}: %{z:.4f}<extra></extra>",
        )
    figure.update_layout(
        font=LETTERING,
        height=40 + min(TALLEST, round(ROW * (most + 1 + GAP))),
        margin={"l": NAMES, "r": 10, "t": 30, "b": 10, "autoexpand": False},
        dragmode=False,
        xaxis={"visible": False, "fixedrange": True},
        yaxis={
            "range": [GAP + most + 0.6, -0.6],
            "tickvals": places,
            "ticktext": [plain(name, 12) for name in names],
            "tickfont": {"size": 12},
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
    )
    return figure
