"""Diagrams of memory: the lists a decoder is given, two for a whole sentence, or one for every token."""

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.theme import around_zero
from regard.model.alignment import token_label
from regard.model.trace import Trace

GAP = 1.2  # rows between the one list and the others
CONTEXT, START = "context c", "state s₀"
ROW, TALLEST = 15, 560  # pixels of a row; of all rows together
NAMES_WIDTH = 92  # pixels for the names of rows


def one_list(trace: Trace) -> Float[ndarray, " E"]:
    """Return the constant context of a model without attention: the mean of the first and the last annotation."""
    return (trace.annotations[0] + trace.annotations[-1]) / 2


def given(alone: Trace) -> dict[str, Float[ndarray, " N"]]:
    """Return what a decoder without attention is given, by name: c, and s_0 where the encoder makes it."""
    start = {START: alone.initial_state} if alone.initial_state.any() else {}
    return {CONTEXT: one_list(alone), **start}


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
