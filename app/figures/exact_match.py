"""Exact match: the share of sequences a model writes exactly, by length, from the sweep in `scores.json`."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from regard.app.figures.bleu_by_length import MARKERS
from regard.app.figures.heatmap import LONGEST_NAME, plain
from regard.app.figures.training_curves import DASHES, SYMBOLS
from regard.app.theme import CATEGORIES
from regard.app.wording import listed
from regard.model.evaluation import scores_record

EACH = 15  # up to this length, each has its number on the axis
TRAINED = "rgba(127, 127, 127, 0.16)"  # behind the lengths trained on, in light and dark


class ExactShare(NamedTuple):
    """The share of sequences of one length that came out exactly, with its 95% confidence interval."""

    length: int
    sequences: int
    share: float
    interval: tuple[float, float]


class Sweep(NamedTuple):
    """The sweep of one model; `trained` is the longest sequence it was trained on."""

    title: str
    trained: int
    rows: tuple[ExactShare, ...]


def rows(task: Mapping[str, Any]) -> tuple[ExactShare, ...]:
    """Return the rows of the part `task` of `scores.json`; none if not measured."""
    return tuple(
        ExactShare(row["length"], row["sequences"], row["share"], tuple(row["interval"]))
        for row in task.get("by_length", [])
    )


def sweep(title: str, scores: Mapping[str, Any]) -> Sweep | None:
    """Return the sweep of a model, or None if not measured."""
    task = scores_record.part(scores, "task")
    return Sweep(title, task["lengths"][1], measured) if (measured := rows(task)) else None


def exactness(sweeps: Sequence[Sweep]) -> go.Figure:
    """Draw a line for each model; a bar spans the 95% interval, a dotted line ends the lengths trained on."""
    figure = go.Figure([_swept(each, place) for place, each in enumerate(sweeps)])
    longest = max(row.length for each in sweeps for row in each.rows)
    for trained in {each.trained for each in sweeps}:
        figure.add_vline(x=trained + 0.5, line={"dash": "dot", "width": 1.5, "color": CATEGORIES[-1]})
    return figure.update_layout(
        height=400,
        showlegend=True,
        xaxis={"title": {"text": "numbers in the sequence"}, "range": [0.5, longest + 0.5], "showgrid": False},
        yaxis={"title": {"text": "written exactly"}, "tickformat": ".0%", "range": [-0.03, 1.05]},
    )


def finding(sweeps: Sequence[Sweep]) -> str:
    """Say from which length on each model gets fewer than half right, if any; Markdown."""
    sentences = []
    for each in sweeps:
        failing = [row.length for row in each.rows if row.share < 1 / 2]
        where = (
            f"fewer than half of the sequences of {failing[0]} numbers" if failing else "at least half at every length"
        )
        sentences.append(f"**{each.title}** writes {where} exactly")
    trained = [str(each.trained) for each in sweeps]
    told = f"{trained[0]} numbers (dotted line)"
    if len(set(trained)) > 1:
        told = f"{listed(trained)} numbers, in this order (dotted lines)"
    return f"{'; '.join(sentences)}. They were trained on sequences of up to {told}."


def exact_by_length(models: Sequence[tuple[str, Sequence[ExactShare]]], trained: tuple[int, int]) -> go.Figure:
    """Draw the share each model writes exactly, by length, in percent; a bar spans the interval. `trained` are the
    shortest and the longest length they learned from, which are marked."""
    figure = go.Figure([_line(name, rows, place) for place, (name, rows) in enumerate(models)])
    longest = max(row.length for _, rows in models for row in rows)
    figure.add_vrect(x0=trained[0] - 0.5, x1=trained[1] + 0.5, fillcolor=TRAINED, line_width=0, layer="below")
    figure.add_annotation(
        x=sum(trained) / 2, y=1, yref="paper", yanchor="bottom", text="lengths trained on", showarrow=False
    )
    return figure.update_layout(
        height=400,
        margin={"t": 30},
        showlegend=True,
        legend={"y": 1.1},
        xaxis={"title": {"text": "numbers in the sequence"}, "dtick": 1 if longest <= EACH else 5, "showgrid": False},
        yaxis={"range": [-2, 103], "ticksuffix": "%"},
    )


def _swept(each: Sweep, place: int) -> go.Scatter:
    return _points(each.title, each.rows, 1).update(
        error_y={"thickness": 2, "width": 4},
        line={"color": CATEGORIES[place % len(CATEGORIES)], "width": 3},
        marker={"symbol": MARKERS[place % len(MARKERS)], "size": 9},
        hovertemplate="%{fullData.name}, %{x} numbers: %{y:.1%}<extra></extra>",
    )


def _line(name: str, rows: Sequence[ExactShare], place: int) -> go.Scatter:
    return _points(name, rows, 100).update(
        error_y={"thickness": 1},
        line={"color": CATEGORIES[place], "width": 2, "dash": DASHES[place]},
        marker={"symbol": SYMBOLS[place], "size": 8},
        customdata=[row.sequences for row in rows],
        hovertemplate="%{fullData.name}, length %{x}: %{y:.1f}% of %{customdata:,}<extra></extra>",
    )


def _points(name: str, rows: Sequence[ExactShare], scale: int) -> go.Scatter:
    """Return a line through each share times `scale`, with bars to the ends of its interval."""
    up = [scale * (row.interval[1] - row.share) for row in rows]
    down = [scale * (row.share - row.interval[0]) for row in rows]
    return go.Scatter(
        x=[row.length for row in rows],
        y=[scale * row.share for row in rows],
        error_y={"type": "data", "symmetric": False, "array": up, "arrayminus": down},
        name=plain(name, LONGEST_NAME),
        mode="lines+markers",
    )
