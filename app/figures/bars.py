"""Rows of bars, one above the other: the same source tokens and scale, so that rows compare by eye."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES
from regard.model.alignment import token_label

SLOTS = 7  # of a row's height: one for its title, five for its bars, one between rows
SLOT = 17  # pixels
RIGHT, BOTTOM, LEFT = 24, 8, 52  # margins in pixels
LEVEL, TURNED = 34, 104  # the top margin, with the labels of the source tokens in it
ALWAYS_LEVEL = 6  # up to this many source tokens; the labels of more are turned where there is no room
LONGEST_LABEL = 12
WHOLE: dict[str, Any] = {"tickvals": [0, 50, 100], "ticktext": ["0", "50%", "100%"]}  # an axis of percent
# The number above a bar, upright and whole.
OUTSIDE: dict[str, Any] = {"textposition": "outside", "textangle": 0, "constraintext": "none", "cliponaxis": False}
FULL = 125  # percent at the top of a row: leaves room for a number above a full bar


def token_bars(source: Sequence[str], rows: Mapping[str, Float[ndarray, " S"]], about: Mapping[str, str]) -> go.Figure:
    """Draw shares of 1 over the source tokens, in percent; unmeasured values (NaN) have no bar. `about` has the text
    after a row's title, for the rows that have one."""
    labels = [plain(token_label(token), LONGEST_LABEL) for token in source]
    figure = go.Figure()
    for index, (name, shares) in enumerate(rows.items()):
        greatest = int(np.nan_to_num(shares).argmax())
        figure.add_bar(
            x=list(range(len(labels))),
            y=100 * shares,
            name=name,
            yaxis=f"y{index + 1}",
            marker={"color": CATEGORIES[0]},
            customdata=labels,
            hovertemplate="%{customdata}: %{y:.4f}%<extra>%{fullData.name}</extra>",
            texttemplate=["%{y:.1f}%" if place == greatest else "" for place in range(len(labels))],
            textfont={"size": 12},
            **OUTSIDE,
        )
        figure.update_layout({f"yaxis{index + 1}": _scale(index, len(rows))})
    notes = [title(f"<b>{name}</b>{about.get(name, '')}", index, len(rows)) for index, name in enumerate(rows)]
    return figure.update_layout(frame(len(rows), len(labels)) | {"xaxis": _tokens(labels), "annotations": notes})


def frame(rows: int, tokens: int, left: int = LEFT) -> dict[str, Any]:
    """Return the layout shared by figures with the same rows and source tokens, so that they align side by side."""
    top = LEVEL if tokens <= ALWAYS_LEVEL else TURNED
    return {
        "height": top + BOTTOM + rows * SLOTS * SLOT,
        "margin": {"l": left, "r": RIGHT, "t": top, "b": BOTTOM, "autoexpand": False},
        "bargap": 0.25,
        "showlegend": False,
        "barmode": "overlay",
    }


def title(text: str, row: int, rows: int, left: int = LEFT) -> dict[str, Any]:
    """Return a title above its row, from the left edge of the figure."""
    return {
        "text": text,
        "showarrow": False,
        "align": "left",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "xshift": -left,
        "yref": "paper",
        "y": 1 - (SLOTS * row + 0.5) / (SLOTS * rows),
        "yanchor": "middle",
    }


def _tokens(labels: Sequence[str]) -> dict[str, Any]:
    """Return one axis above all rows."""
    return {
        "side": "top",
        "anchor": "free",
        "position": 1,
        "range": [-0.5, len(labels) - 0.5],
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "ticklabelstandoff": 6,
        "autotickangles": [0] if len(labels) <= ALWAYS_LEVEL else [0, -90],
    }


def _scale(row: int, rows: int) -> dict[str, Any]:
    top, bottom = (1 - (SLOTS * row + slot) / (SLOTS * rows) for slot in (1, SLOTS - 1))
    return {"domain": [bottom, top], "range": [0, FULL], "anchor": "x", **WHOLE}
