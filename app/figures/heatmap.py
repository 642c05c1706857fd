"""The whole attention matrix: which source word each step looked at, and how much."""

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy import ndarray

from regard.app.theme import LAYOUT, WEIGHTS
from regard.model.alignment import Alignment, WordWeights, token_label
from regard.model.trace import AnyTrace

NUMBERS_UP_TO = 20  # rows or columns; beyond, numbers do not fit into the cells
UPRIGHT = 2  # characters of names that stand beside each other in any width
LONGEST_NAME = 60  # characters of a model's name
GAPS = {"xgap": 1, "ygap": 1}
SHARES: dict[str, Any] = {"zmin": 0, "zmax": 100, "colorscale": WEIGHTS, **GAPS}  # cells in percent


def heatmap(alignment: Alignment, units: str, rows: str, what: str = "weight") -> go.Figure:
    """Draw weights in percent. `units` are "words" or "tokens", `rows` "output" or "input" (the word a row belongs to).
    `what` names the weights if they are not the attention's. The columns lie as the words of the source do."""
    figure = weight_matrix(alignment.by_words(rows) if units == "words" else _by_tokens(alignment, rows), what)
    return figure.update_xaxes(autorange="reversed") if _from_the_right(alignment.source.text) else figure


def of_trace(trace: AnyTrace) -> go.Figure:
    """Draw the weights of a trace between words."""
    return heatmap(trace.alignment, "words", "output")


def weight_matrix(shown: WordWeights, what: str = "weight") -> go.Figure:
    """Draw weights between any rows and columns, in percent."""
    verb = "looked at" if what == "weight" else f"{what} of"
    share = 100 * shown.weights
    cells = go.Heatmap(
        z=share,
        text=[[f"{value:.1f}" for value in row] for row in share],
        texttemplate="%{text}" if max(share.shape) <= NUMBERS_UP_TO else None,
        customdata=names_of_cells(shown.rows, shown.columns),
        hovertemplate=f"%{{customdata[0]}} {verb} %{{customdata[1]}}: %{{z:.4f}}%<extra></extra>",
        colorbar={"title": {"text": what}, "ticksuffix": "%", "thickness": 12},
        **SHARES,
    )
    return matrix(cells, shown.rows, shown.columns, 140 + 34 * max(4, len(shown.rows)))


def names_of_cells(rows: Sequence[str], columns: Sequence[str]) -> ndarray:
    """Return the names of row and column of each cell, (R, C, 2)."""
    return np.stack(np.broadcast_arrays(np.array(rows)[:, None], np.array(columns)), axis=-1)


def matrix(cells: go.Heatmap, rows: Sequence[str], columns: Sequence[str], height: int) -> go.Figure:
    """Lay out cells with the names of their columns above them; the first row is on top."""
    return go.Figure(cells).update_layout(
        xaxis={"side": "top", **ticks(columns), "tickangle": 0 if max(map(len, columns)) <= UPRIGHT else None},
        yaxis={"autorange": "reversed", **ticks(rows)},
        height=height,
        margin=LAYOUT["margin"] | {"t": 20},  # for those who draw it themselves
    )


def _from_the_right(text: str) -> bool:
    """Return True if the first letter is of a script that is written from right to left."""
    return unicodedata.bidirectional(next(filter(str.isalpha, text), " ")) in ("R", "AL")


def _by_tokens(alignment: Alignment, rows: str) -> WordWeights:
    """Return the matrix as the model computed it, labelled by tokens."""
    labels = alignment.fed() if rows == "input" else alignment.target.tokens
    columns = tuple(map(token_label, alignment.source.tokens))
    return WordWeights(tuple(map(token_label, labels)), columns, alignment.weights, tuple(range(len(labels))))


def ticks(labels: Sequence[str], longest: int = 24) -> dict[str, object]:
    """Use positions, not names, as the axis: the same word may occur twice."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": [plain(label, longest) for label in labels],
        "showgrid": False,
        "automargin": True,
    }


def plain(label: str, longest: int = 24) -> str:
    """Escape a label for Plotly: its few tags and entities, and `$…$` as mathematics, are switched off."""
    short = label if len(label) <= longest else label[: longest - 1] + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;") or " "
