"""Context composition: each annotation times its weight, stacked to c_t."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES
from regard.model.alignment import token_label
from regard.model.trace import Trace

HEAVIEST = 7  # source tokens drawn separately; the others share one colour
COMPONENTS = 24


def composition(trace: Trace, step: int) -> go.Figure:
    """Draw the components of c_t farthest from 0, each as a stack of α_ti h_ik over source tokens; `step` is from 0."""
    context = trace.contexts[step]
    chosen = np.sort(np.argsort(-np.abs(context))[:COMPONENTS])
    parts = trace.weights[step][:, None] * trace.annotations[:, chosen]  # (S, components)
    heaviest = np.argsort(-trace.weights[step])[:HEAVIEST]
    others = np.setdiff1d(np.arange(len(parts)), heaviest)
    names = [f"c<sub>{index + 1}</sub>" for index in chosen]
    stacked: list[tuple[str, Any, str]] = [
        (plain(token_label(trace.source[place])), [place], CATEGORIES[at]) for at, place in enumerate(sorted(heaviest))
    ]
    if len(others):
        stacked.append((f"{len(others)} others", others, CATEGORIES[-1]))
    figure = go.Figure()
    for label, places, colour in stacked:
        name = f"{label} · {100 * trace.weights[step, places].sum():.1f}%"
        figure.add_bar(x=names, y=parts[places].sum(0), name=name, marker={"color": colour}, hovertemplate=_HOVER)
    figure.add_scatter(
        x=names,
        y=context[chosen],
        name="context c",
        mode="markers",
        marker={"symbol": "line-ew", "size": 16, "line": {"width": 3, "color": "#888888"}},
        hovertemplate=_HOVER,
    )
    return figure.update_layout(
        barmode="relative",
        bargap=0.25,
        height=420,
        legend={"y": -0.15},
        yaxis={"title": {"text": "weight × annotation"}, "zeroline": True},
    )


_HOVER = "%{x}, %{fullData.name}: %{y:.5f}<extra></extra>"
