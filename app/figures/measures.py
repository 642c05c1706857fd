"""Measurements of whole models and texts: BLEU and exact match by length, and the sentences of a text.

The first two are read from a model's `scores.json`; what their intervals show is also said in a sentence.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from regard.app.figures.heatmap import LONGEST_NAME, plain
from regard.app.theme import CATEGORIES, WEIGHTS
from regard.app.wording import counted, listed
from regard.model.evaluation import scores_record
from regard.model.text_report.sentence_measures import NUMBERS, SentenceMeasures

NAMES = {
    "held_out": "held-out Tatoeba",
    "test_2016_flickr": "Multi30k test 2016 (image captions)",
    "flores200_devtest": "FLORES-200 (general text)",
    "greedy": "greedy",
}
FINDINGS = (  # where attention is ahead, where it is behind, and where neither is shown
    "With attention BLEU is higher by {}.",
    "With attention BLEU is lower by {}.",
    "At {} words the intervals overlap, which is inconclusive: only a paired test could decide.",
)
MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star")


class Bucket(NamedTuple):
    """The sentences of similar length in a test."""

    words: tuple[int, int]  # fewest and most source words, including punctuation marks
    pairs: int
    bleu: float
    interval: tuple[float, float] | None = None  # 95%; None if not measured

    @property
    def label(self) -> str:
        least, most = self.words
        return f"{least} to {most}" if least < most else str(least)


def named(key: str) -> str:
    """Return the name of a test or a search on screen."""
    return NAMES.get(key, key.replace("_", " of ") if key.startswith("beam_") else key)


def searches(scores: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return tests and searches for which BLEU by length was measured."""
    return [
        (test, search)
        for test in scores_record.tests(scores)
        for search, result in scores_record.searches(scores, test).items()
        if result.get("by_length")
    ]


def buckets(scores: Mapping[str, Any], test: str, search: str) -> list[Bucket]:
    """Return the buckets from short to long; none if not measured."""
    if (test, search) not in searches(scores):
        return []
    rows = scores_record.searches(scores, test)[search]["by_length"]
    return sorted(
        Bucket(tuple(row["words"]), row["pairs"], row["bleu"], tuple(row["interval"]) if "interval" in row else None)
        for row in rows
    )


def lengths(models: Sequence[tuple[str, Sequence[Bucket]]], strong: int) -> go.Figure:
    """Draw a line for each model, by title; the first `strong` stand out. A bar spans the 95% interval."""
    every = sorted({bucket.words: bucket for _, rows in models for bucket in rows}.values())
    figure = go.Figure()
    for place, (name, rows) in enumerate(models):
        ends = [(row.bleu, *(row.interval or (row.bleu, row.bleu))) for row in rows]
        line = _line(name, [_tick(row) for row in rows], ends, place)
        figure.add_trace(line.update(opacity=1 if place < strong else 0.55))
    axis = {"categoryorder": "array", "categoryarray": [_tick(bucket) for bucket in every], "type": "category"}
    return figure.update_traces(hovertemplate="%{fullData.name}, %{x}: BLEU %{y:.2f}<extra></extra>").update_layout(
        scattermode="group",
        scattergap=0.7,
        height=400,
        showlegend=True,
        xaxis={"title": {"text": "source words, and number of pairs"}, "showgrid": False} | axis,
        yaxis={"title": {"text": "BLEU"}, "rangemode": "tozero"},
    )


def bleu_finding(attending: Sequence[Bucket], without: Sequence[Bucket]) -> str:
    """Say what the intervals of the two show, bucket by bucket, whichever is better."""
    ahead, behind, open_ = [], [], []
    other = {bucket.words: bucket for bucket in without}
    for bucket in attending:
        rival = other.get(bucket.words)
        if rival is None or bucket.interval is None or rival.interval is None:
            continue
        gap = f"{abs(bucket.bleu - rival.bleu):.1f} at {bucket.label} words"
        if bucket.interval[0] > rival.interval[1]:
            ahead.append(gap)
        elif bucket.interval[1] < rival.interval[0]:
            behind.append(gap)
        else:
            open_.append(bucket.label)
    found = zip((ahead, behind, open_), FINDINGS, strict=True)
    sentences = [sentence.format(listed(where)) for where, sentence in found if where]
    return " ".join(sentences) or "No intervals were measured, so no difference can be told from chance."


def _line(name: str, x: Sequence[Any], ends: Sequence[tuple[float, float, float]], place: int) -> go.Scatter:
    """Return the line of a model; `ends` are each value and the ends of its interval."""
    up, down = [high - value for value, _, high in ends], [value - low for value, low, _ in ends]
    bars = {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "width": 4} if any(up + down) else {}
    return go.Scatter(
        x=x,
        y=[value for value, _, _ in ends],
        error_y=bars,
        name=plain(name, LONGEST_NAME),
        mode="lines+markers",
        line={"color": CATEGORIES[place % len(CATEGORIES)], "width": 2.5},
        marker={"symbol": MARKERS[place % len(MARKERS)], "size": 9},
    )


def _tick(bucket: Bucket) -> str:
    return f"{bucket.label}<br>{counted(bucket.pairs, 'pair')}"


TRAINED = "rgba(127, 127, 127, 0.16)"  # behind the lengths trained on, in light and dark


class ExactShare(NamedTuple):
    """The share of sequences of one length that came out exactly, with its 95% confidence interval."""

    length: int
    share: float
    interval: tuple[float, float]


class Sweep(NamedTuple):
    """The sweep of one model; `trained` are the shortest and the longest sequence it was trained on."""

    title: str
    trained: tuple[int, int]
    rows: tuple[ExactShare, ...]


def sweep(title: str, scores: Mapping[str, Any]) -> Sweep | None:
    """Return the sweep of a model, or None if not measured."""
    task = scores_record.part(scores, "task")
    rows = tuple(ExactShare(row["length"], row["share"], tuple(row["interval"])) for row in task.get("by_length", []))
    return Sweep(title, tuple(task["lengths"]), rows) if rows else None


def exactness(sweeps: Sequence[Sweep]) -> go.Figure:
    """Draw the share each model writes exactly, by length, in percent; a bar spans the 95% interval, and a band the
    lengths trained on."""
    figure = go.Figure()
    for place, each in enumerate(sweeps):
        ends = [(100 * row.share, 100 * row.interval[0], 100 * row.interval[1]) for row in each.rows]
        figure.add_trace(_line(each.title, [row.length for row in each.rows], ends, place))
    for shortest, longest in {each.trained for each in sweeps}:
        figure.add_vrect(shortest - 0.5, longest + 0.5, fillcolor=TRAINED, line_width=0, layer="below")
    return figure.update_traces(hovertemplate="%{fullData.name}, %{x} numbers: %{y:.1f}%<extra></extra>").update_layout(
        height=400,
        showlegend=True,
        xaxis={"title": {"text": "numbers in the sequence"}, "showgrid": False},
        yaxis={"title": {"text": "written exactly"}, "range": [-2, 103], "ticksuffix": "%"},
    )


def exact_finding(sweeps: Sequence[Sweep]) -> str:
    """Say at which length each model first gets fewer than half right, by the intervals, if at any; Markdown."""
    sentences = []
    for each in sweeps:
        failing = [row.length for row in each.rows if row.interval[1] < 1 / 2]
        sentences.append(
            f"**{each.title}** writes fewer than half of the sequences of {failing[0]} numbers exactly"
            if failing
            else f"**{each.title}** is at no length shown to write fewer than half exactly"
        )
    return f"{'; '.join(sentences)}, by the 95% intervals. The lengths trained on are shaded."


HEIGHT = 250
CLIPPED = 70  # characters of a sentence shown beside its point
PERCENT = ".4~p"  # with as many digits as tell neighbouring ticks apart


def plotted(rows: Sequence[SentenceMeasures], x: str, y: str, colour: str) -> list[SentenceMeasures]:
    """Return the sentences that have a point: those with both numbers, and the third if `colour` names one."""
    return [row for row in rows if all(getattr(row, name) is not None for name in (x, y, colour) if name)]


def scatter(rows: Sequence[SentenceMeasures], x: str, y: str, colour: str) -> go.Figure:
    """Draw a point for each sentence that has both numbers; `colour` names a third or is ""."""
    some = plotted(rows, x, y, colour)
    marker: dict[str, Any] = {"size": 8, "color": CATEGORIES[0], "opacity": 0.8}
    if colour:
        bar = {"title": {"text": NUMBERS[colour].label}, "tickformat": PERCENT if NUMBERS[colour].share else None}
        marker |= {"color": [getattr(row, colour) for row in some], "colorscale": WEIGHTS, "colorbar": bar}
    marker["line"] = {"width": 1, "color": "#7F7F7F"}  # keeps the ends of the scale apart from the page
    figure = go.Figure().add_scatter(
        x=[getattr(row, x) for row in some],
        y=[getattr(row, y) for row in some],
        mode="markers",
        marker=marker,
        text=[f"{row.number}: {plain(row.source, CLIPPED)}" for row in some],
        hovertemplate="%{text}<br>%{x:.3g}, %{y:.3g}<extra></extra>",
        cliponaxis=False,
        name="sentences",
    )
    return figure.update_layout(height=HEIGHT, dragmode="select", xaxis=_axis(x), yaxis=_axis(y))


def _axis(name: str) -> dict[str, Any]:
    about = NUMBERS[name]
    return {"title": {"text": about.label}, "zeroline": False, "tickformat": PERCENT if about.share else None}
