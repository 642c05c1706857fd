"""The context c = Σ α_i h_i: as a stack of its parts, as a blend of rows, and over the steps of a growing sentence."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.theme import CATEGORIES, around_zero, component
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace, Trace

HEAVIEST = 7  # source tokens drawn separately; the others share one colour
COMPONENTS = 24
_HOVER = "%{x}, %{fullData.name}: %{y:.5f}<extra></extra>"


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


ROW, AROUND = 46, 84  # pixels of a row, and above and below all of them
GAP, RIBBON = 0.95, 0.7  # of a matrix's width: between rows and their shares, and of a ribbon's length
THICK = 0.8  # of a row's height, the ribbon of all weight
BETWEEN = 0.01  # of a row, so that the context stands in none
RIBBONS, IN_COMMON = "#8A8F98", "#7F7F7F"


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
        shapes.append({"type": "path", "path": path, "fillcolor": RIBBONS, "opacity": 0.6, "line": {"width": 0}})
    return shapes


def _told(text: str, x: float, y: float, above: int = 0) -> dict[str, object]:
    return {"x": x, "y": y, "yshift": above, "text": text, "showarrow": False, "font": {"size": 13}}


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
        lines.append(("words in common", list(alike), IN_COMMON, "x", "dash", "of the words"))
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
