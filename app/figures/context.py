"""A growing sentence: the probability of its translations, and the context c = Σ α_i h_i of each step."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES, around_zero
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace

IN_COMMON, MARKERS = "#7F7F7F", ("circle", "square", "x")
MOST_NAMED = 30  # steps with room for their token's name


def growth(
    lengths: Sequence[int], models: Sequence[tuple[str, Sequence[AnyTrace]]], alike: Sequence[float]
) -> go.Figure:
    """Draw each model's probability per token by source words, and how similar the two translations are. All in
    percent. `models` are titles, each with a translation per length; `alike` is empty for one model."""
    lines = [(plain(name), [trace.mean_probability for trace in made], "solid") for name, made in models]
    lines += [("words in common", list(alike), "dash")] if alike else []
    figure = go.Figure()
    for (name, shares, dash), colour, symbol in zip(
        lines, (*CATEGORIES[: len(models)], IN_COMMON), MARKERS, strict=False
    ):
        figure.add_scatter(
            x=list(lengths),
            y=[100 * share for share in shares],
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 3, "dash": dash},
            marker={"symbol": symbol, "size": 9},
            hovertemplate="%{fullData.name}, source words: %{x}, %{y:.2f}%<extra></extra>",
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
    names = [
        plain(token_label(token), 12) + (f" ({step})" if trace.target.count(token) > 1 else "")
        for step, token in enumerate(trace.target, start=1)
    ]
    every = 1 + len(names) // MOST_NAMED
    steps, components = list(range(1, 1 + len(names))), list(range(1, trace.attention_output.shape[1] + 1))
    figure = go.Figure().add_heatmap(
        z=trace.attention_output,
        x=components,
        y=steps,
        **around_zero(scale),
        hovertemplate="step %{y}, component %{x}: %{z:.4f}<extra></extra>",
    )
    return figure.update_layout(
        height=420,
        xaxis={"title": {"text": "component of the context"}, "showgrid": False},
        yaxis={"autorange": "reversed", "tickfont": {"size": 11}, "showgrid": False, "automargin": True}
        | {"tickvals": steps[::every], "ticktext": names[::every]},
    )


def full_colour(traces: Sequence[AnyTrace]) -> float:
    """Return a scale for several figures of contexts: 99% of their numbers are nearer to 0."""
    return float(np.quantile(np.concatenate([np.abs(trace.attention_output).ravel() for trace in traces]), 0.99))


def largest_change(contexts: Float[ndarray, "T E"]) -> float:
    """Return the range of the context component that varies most over the steps of a translation."""
    return float(np.ptp(contexts, axis=0).max())
