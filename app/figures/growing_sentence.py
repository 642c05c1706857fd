"""Growing sentence: how sure two models stay as a sentence grows, and the contexts their decoders are given."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES, around_zero
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace

GREY = "#7F7F7F"
MOST_NAMED = 30  # steps with room for their token's name


def growth(
    lengths: Sequence[int], models: Sequence[tuple[str, Sequence[AnyTrace]]], alike: Sequence[float]
) -> go.Figure:
    """Draw each model's probability per token by source words, and how similar the two translations are. All in
    percent. `models` are titles, each with a translation per length; `alike` is empty for one model."""
    lines = [
        (name, [trace.mean_probability for trace in made], colour, symbol, "solid", "probability per token")
        for (name, made), colour, symbol in zip(models, CATEGORIES, ("circle", "square"), strict=False)
    ]
    if alike:
        lines.append(("words in common", list(alike), GREY, "x", "dash", "of the words"))
    figure = go.Figure()
    for name, shares, colour, symbol, dash, whole in lines:
        figure.add_scatter(
            x=list(lengths),
            y=[100 * share for share in shares],
            name=plain(name),
            mode="lines+markers",
            line={"color": colour, "width": 3 if dash == "solid" else 2, "dash": dash},
            marker={"symbol": symbol, "size": 9},
            hovertemplate=f"%{{fullData.name}}, source words: %{{x}}, %{{y:.2f}}% {whole}<extra></extra>",
        )
    return figure.update_layout(
        height=420,
        showlegend=True,
        xaxis={"title": {"text": "source words"}} | ({} if np.ptp(lengths) > MOST_NAMED else {"dtick": 1}),
        yaxis={"range": [0, 103], "ticksuffix": "%"},
    )


def contexts(trace: AnyTrace, scale: float) -> go.Figure:
    """Draw the context of each step as a row of colours; `scale` is the number with full colour. Rows are steps from 1,
    named by their tokens; a repeated token also gets its step."""
    steps = range(1, 1 + len(trace.target), 1 + len(trace.target) // MOST_NAMED)
    figure = go.Figure().add_heatmap(
        z=trace.attention_output,
        x=list(range(1, trace.attention_output.shape[1] + 1)),
        y=list(range(1, 1 + len(trace.target))),
        **around_zero(scale),
        hovertemplate="step %{y}, component %{x}: %{z:.4f}<extra></extra>",
    )
    return figure.update_layout(
        height=420,
        xaxis={"title": {"text": "component of the context"}, "showgrid": False},
        yaxis={
            "autorange": "reversed",
            "tickvals": list(steps),
            "ticktext": [_step_name(trace, step) for step in steps],
            "tickfont": {"size": 11},
            "showgrid": False,
            "automargin": True,
        },
    )


def _step_name(trace: AnyTrace, step: int) -> str:
    token = trace.target[step - 1]
    return plain(token_label(token), 12) + (f" ({step})" if trace.target.count(token) > 1 else "")


def full_colour(traces: Sequence[AnyTrace]) -> float:
    """Return a scale for several figures of contexts: 99% of their numbers are nearer to 0."""
    return float(np.quantile(np.concatenate([np.abs(trace.attention_output).ravel() for trace in traces]), 0.99))


def largest_change(contexts: Float[ndarray, "T E"]) -> float:
    """Return the range of the context component that varies most over the steps of a translation."""
    return float(np.ptp(contexts, axis=0).max())
