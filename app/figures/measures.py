"""Lines and points: BLEU and exact match by length, a growing sentence's probability, and the sentences of a text.

The first two are read from a model's `scores.json`; what their intervals show is also said in a sentence.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import LONGEST_NAME, MOST_NAMED, plain
from regard.app.theme import CATEGORIES, WEIGHTS
from regard.app.wording import counted, listed
from regard.model.evaluation import scores_record
from regard.model.text_report.sentence_measures import NUMBERS, SentenceMeasures
from regard.model.trace import AnyTrace

NAMES = {
    "held_out": "held-out Tatoeba",
    "test_2016_flickr": "Multi30k test 2016 (image captions)",
    "flores200_devtest": "FLORES-200 (general text)",
}
FINDINGS = (  # where attention is ahead, where it is behind, and where neither is shown
    "With attention BLEU is higher by {}.",
    "With attention BLEU is lower by {}.",
    "At {} words the intervals overlap, which is inconclusive: only a paired test could decide.",
)
FAILS = "**{}** writes fewer than half of the sequences of {} numbers exactly"
NEVER_FAILS = "**{}** is at no length shown to write fewer than half exactly"
MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star")
GREY = "#7F7F7F"  # tells marks apart from the page, in light and dark
TRAINED = "rgba(127, 127, 127, 0.16)"  # behind the lengths trained on
PERCENT_AXIS = {"range": [-2, 103], "ticksuffix": "%"}


class Ends(NamedTuple):
    """A value and the ends of its interval."""

    value: float
    low: float
    high: float


def line(name: str, x: Sequence[Any], ends: Sequence[Ends | float], place: int, **style: Any) -> go.Scatter:
    """Return the line of a series with the colour and marker of its place; `ends` draw a bar, if any has a length."""
    values = [each if isinstance(each, Ends) else Ends(each, each, each) for each in ends]
    up, down = [each.high - each.value for each in values], [each.value - each.low for each in values]
    bars = {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "width": 4} if any(up + down) else {}
    drawn = go.Scatter(
        x=list(x),
        y=[each.value for each in values],
        error_y=bars,
        name=plain(name, LONGEST_NAME),
        mode="lines+markers",
        line={"color": CATEGORIES[place % len(CATEGORIES)], "width": 2.5},
        marker={"symbol": MARKERS[place % len(MARKERS)], "size": 9},
    )
    return drawn.update(style)


def over(lines: Sequence[go.Scatter], across: str, up: str, hover: str) -> go.Figure:
    """Return a figure of lines with the titles of its axes; `hover` tells a point's place and value."""
    x, y = ({"title": {"text": text}} for text in (across, up))
    figure = titled(go.Figure(lines), hover)
    return figure.update_layout(height=400, showlegend=True, xaxis=x | {"showgrid": False}, yaxis=y)


def titled(figure: go.Figure, hover: str) -> go.Figure:
    """Name the line, and its place and value, where a pointer rests on a point."""
    return figure.update_traces(hovertemplate=f"%{{fullData.name}}, {hover}<extra></extra>")


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

    @property
    def tick(self) -> str:
        return f"{self.label}<br>{counted(self.pairs, 'pair')}"


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
    rows = scores_record.searches(scores, test)[search]["by_length"] if (test, search) in searches(scores) else ()
    return sorted(
        Bucket(tuple(row["words"]), row["pairs"], row["bleu"], tuple(row["interval"]) if "interval" in row else None)
        for row in rows
    )


def lengths(models: Sequence[tuple[str, Sequence[Bucket]]], strong: int) -> go.Figure:
    """Draw a line for each model, by title; the first `strong` stand out. A bar spans the 95% interval."""
    every = sorted({bucket.words: bucket for _, rows in models for bucket in rows}.values())
    lines = [
        line(
            name,
            [row.tick for row in rows],
            [Ends(row.bleu, *(row.interval or (row.bleu, row.bleu))) for row in rows],
            place,
            opacity=1 if place < strong else 0.55,
        )
        for place, (name, rows) in enumerate(models)
    ]
    figure = over(lines, "source words, and number of pairs", "BLEU", "%{x}: BLEU %{y:.2f}")
    figure.update_xaxes(categoryorder="array", categoryarray=[bucket.tick for bucket in every], type="category")
    return figure.update_layout(scattermode="group", scattergap=0.7).update_yaxes(rangemode="tozero")


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


class Sweep(NamedTuple):
    """The shares of sequences that a model writes exactly, by length; `trained` are the shortest and the longest
    sequence it was trained on."""

    title: str
    trained: tuple[int, int]
    rows: dict[int, Ends]  # with the 95% confidence interval


def sweep(title: str, scores: Mapping[str, Any]) -> Sweep | None:
    """Return the sweep of a model, or None if not measured."""
    task = scores_record.part(scores, "task")
    rows = {row["length"]: Ends(row["share"], *row["interval"]) for row in task.get("by_length", [])}
    return Sweep(title, tuple(task["lengths"]), rows) if rows else None


def exactness(sweeps: Sequence[Sweep]) -> go.Figure:
    """Draw the share each model writes exactly, by length, in percent; a bar spans the 95% interval, and a band the
    lengths trained on."""
    lines = [
        line(each.title, [*each.rows], [Ends(*(100 * end for end in row)) for row in each.rows.values()], place)
        for place, each in enumerate(sweeps)
    ]
    figure = over(lines, "numbers in the sequence", "written exactly", "%{x} numbers: %{y:.1f}%")
    for shortest, longest in {each.trained for each in sweeps}:
        figure.add_vrect(shortest - 0.5, longest + 0.5, fillcolor=TRAINED, line_width=0, layer="below")
    return figure.update_yaxes(PERCENT_AXIS)


def exact_finding(sweeps: Sequence[Sweep]) -> str:
    """Say at which length each model first gets fewer than half right, by the intervals, if at any; Markdown."""
    sentences = []
    for each in sweeps:
        failing = next((length for length, row in each.rows.items() if row.high < 1 / 2), 0)
        sentences.append((FAILS if failing else NEVER_FAILS).format(each.title, failing))
    return f"{'; '.join(sentences)}, by the 95% intervals. The lengths trained on are shaded."


def growth(
    lengths: Sequence[int], models: Sequence[tuple[str, Sequence[AnyTrace]]], alike: Sequence[float]
) -> go.Figure:
    """Draw each model's probability per token by source words, and how similar the two translations are. All in
    percent. `models` are titles, each with a translation per length; `alike` is empty for one model."""
    lines = [
        line(name, lengths, [100 * trace.mean_probability for trace in traces], place)
        for place, (name, traces) in enumerate(models)
    ]
    if alike:
        dashed = {"line": {"color": GREY, "dash": "dash"}}
        lines.append(line("words in common", lengths, [100 * share for share in alike], len(models), **dashed))
    figure = over(lines, "source words", "", "source words: %{x}, %{y:.2f}%").update_yaxes(PERCENT_AXIS, range=[0, 103])
    return figure.update_xaxes(dtick=None if np.ptp(lengths) > MOST_NAMED else 1).update_layout(height=420)


HEIGHT = 250
CLIPPED = 70  # characters of a sentence shown beside its point
PERCENT = ".4~p"  # with as many digits as tell neighbouring ticks apart


def plotted(rows: Sequence[SentenceMeasures], x: str, y: str, colour: str) -> list[SentenceMeasures]:
    """Return the sentences that have a point: those with both numbers, and the third if `colour` names one."""
    return [row for row in rows if all(getattr(row, name) is not None for name in (x, y, colour) if name)]


def scatter(rows: Sequence[SentenceMeasures], x: str, y: str, colour: str) -> go.Figure:
    """Draw a point for each sentence that has both numbers; `colour` names a third or is ""."""
    some = plotted(rows, x, y, colour)
    axes = {
        name: {"title": {"text": about.label}, "tickformat": PERCENT if about.share else None}
        for name, about in NUMBERS.items()
    }
    marker: dict[str, Any] = {"size": 8, "color": CATEGORIES[0], "opacity": 0.8, "line": {"width": 1, "color": GREY}}
    if colour:
        shades = [getattr(row, colour) for row in some]
        marker |= {"color": shades, "colorscale": WEIGHTS, "colorbar": axes[colour]}
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
    figure.update_xaxes(axes[x], zeroline=False).update_yaxes(axes[y], zeroline=False)
    return figure.update_layout(height=HEIGHT, dragmode="select")
