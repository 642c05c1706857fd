"""Bars of the lesson: how far annotations moved, three weights, and the tokens that may come next."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.bars import OUTSIDE, WHOLE
from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES
from regard.model.alignment import token_label
from regard.model.trace import Trace

SOURCE, TARGET, OTHERS = CATEGORIES[0], CATEGORIES[1], CATEGORIES[-1]
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


def likely(trace: Trace, step: int) -> go.Figure:
    """Draw the likeliest tokens after a step (from 0), in percent, the written one in the target's colour."""
    ids, tokens = trace.top_ids[step].tolist(), trace.top_tokens[step]
    own = int(trace.target_ids[step])
    places = list(range(len(ids)))
    figure = go.Figure().add_bar(
        x=100 * trace.top_probabilities[step],
        y=places,
        orientation="h",
        marker={"color": [TARGET if index == own else OTHERS for index in ids]},
        texttemplate="%{x:.1f}%",
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{x:.4f}%<extra></extra>",
    )
    figure.update_layout(PLAIN | {"height": 380, "margin": {"l": 10, "r": 20, "t": 34, "b": 30}})
    figure.update_xaxes(range=[0, 118], **WHOLE)
    names = [plain(token_label(token), 14) for token in tokens]
    return figure.update_yaxes(
        range=[len(ids) - 0.4, -0.6], tickvals=places, ticktext=names, automargin=True, showgrid=False
    )


def _bars(names: Sequence[Any], heights: Float[ndarray, " N"], colours: Sequence[str]) -> go.Figure:
    return go.Figure().add_bar(x=names, y=heights, marker={"color": list(colours)}, **OUTSIDE).update_layout(PLAIN)
