"""How many sequences of numbers a model writes exactly, by their length: the sweep that `scores.json` holds."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from app.figures.bleu_by_length import MARKERS
from app.figures.heatmap import plain
from app.theme import CATEGORIES, LETTERING, MARGIN


class Sweep(NamedTuple):
    """Of one model; `trained` is the longest sequence that it was trained on."""

    title: str
    trained: int
    lengths: tuple[int, ...]
    shares: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]  # 95 %


def sweep(title: str, scores: Mapping[str, Any]) -> Sweep | None:
    """None where it was never measured."""
    task = scores.get("task", {})
    rows = task.get("by_length", [])
    if not rows:
        return None
    lengths, shares = (tuple(row[name] for row in rows) for name in ("length", "share"))
    return Sweep(title, task["lengths"][1], lengths, shares, tuple(tuple(row["interval"]) for row in rows))


def exactness(sweeps: Sequence[Sweep]) -> go.Figure:
    """A line for each model; a bar reaches over the 95 % interval, a dotted line ends what was trained on."""
    figure = go.Figure([_line(each, place) for place, each in enumerate(sweeps)])
    longest = max(length for each in sweeps for length in each.lengths)
    for trained in {each.trained for each in sweeps}:
        figure.add_vline(x=trained + 0.5, line={"dash": "dot", "width": 1.5, "color": CATEGORIES[-1]})
    figure.update_layout(
        font=LETTERING,
        height=400,
        margin=MARGIN,
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": "numbers in the sequence"}, "range": [0.5, longest + 0.5], "showgrid": False},
        yaxis={"title": {"text": "written exactly"}, "tickformat": ".0%", "range": [-0.03, 1.05]},
    )
    return figure


def finding(sweeps: Sequence[Sweep]) -> str:
    """From which length on each model gets less than half right, whichever way that falls; Markdown."""
    told = []
    for each in sweeps:
        failing = [length for length, share in zip(each.lengths, each.shares, strict=True) if share < 1 / 2]
        where = (
            f"fewer than half of the sequences of {failing[0]} numbers" if failing else "at least half at every length"
        )
        told.append(f"**{each.title}** writes {where} exactly")
    trained = " and ".join(map(str, sorted({each.trained for each in sweeps})))
    return f"{'; '.join(told)}. They were trained on sequences of up to {trained} numbers, where the dotted line is."


def _line(each: Sweep, place: int) -> go.Scatter:
    colour = CATEGORIES[place % len(CATEGORIES)]
    reach = list(zip(each.shares, each.intervals, strict=True))
    return go.Scatter(
        x=each.lengths,
        y=each.shares,
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [high - share for share, (_, high) in reach],
            "arrayminus": [share - low for share, (low, _) in reach],
            "thickness": 2,
            "width": 4,
        },
        name=plain(each.title),
        mode="lines+markers",
        line={"color": colour, "width": 3},
        marker={"symbol": MARKERS[place % len(MARKERS)], "size": 9},
        hovertemplate="%{fullData.name}, %{x} numbers: %{y:.1%}<extra></extra>",
    )
