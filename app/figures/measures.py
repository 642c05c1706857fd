"""Lines and points: BLEU and exact match by length, a growing sentence's probability, the sentences of a text, and
training: losses by update, the share of sequences written exactly, and how attention on one sentence sharpened.

The first two are read from a model's `scores.json`; what their intervals show is also said in a sentence.
"""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import argmin, diff, ndarray
from plotly.subplots import make_subplots

from regard.app.figures.heatmap import LONGEST_NAME, MOST_NAMED, plain
from regard.app.theme import CATEGORIES, WEIGHTS, component
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
        for test in scores_record.part(scores, "tests")
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


LOSS, HOVER = "loss, nats per token", "update %{x:,}: %{y:.4f}"
LOSSES = (("loss", "training, smoothed labels", "dot"), ("validation_loss", "validation", "solid"))  # of history.csv


class Point(NamedTuple):
    """A run after an update: its loss in nats per token, and the share of sequences it writes exactly, or NaN."""

    update: int
    loss: float
    exact: float


def practice_curves(runs: Sequence[tuple[str, Sequence[Point]]]) -> go.Figure:
    """Draw the loss above the share of held-out sequences that came out exactly, in percent, a line per run."""
    figure = _two_rows(LOSS, "exact sequences, percent")
    for place, (name, points) in enumerate(runs):
        tested = [point for point in points if not isnan(point.exact)]
        dash = {"dash": "dash" if place else "solid"}
        losses = line(name, [point.update for point in points], [point.loss for point in points], place, mode="lines")
        shares = line(name, [point.update for point in tested], [100 * point.exact for point in tested], place)
        figure.add_trace(losses.update(legendgroup=name, line=dash), row=1, col=1)
        figure.add_trace(shares.update(legendgroup=name, line=dash, showlegend=False), row=2, col=1)
    figure.update_yaxes(rangemode="tozero", row=1, col=1).update_yaxes(PERCENT_AXIS, row=2, col=1)
    return titled(figure, HOVER).update_layout(height=480, margin={"t": 50}, legend={"y": 1.08})


def losses(history: Sequence[Mapping[str, float]]) -> go.Figure:
    """Draw how the losses fell, in nats by update."""
    return over(_losses(history), "update", LOSS, HOVER).update_yaxes(rangemode="tozero")


def curves(
    history: Sequence[Mapping[str, float]],
    updates: Sequence[int],
    unlikely: Float[ndarray, " M"],
    entropies: Float[ndarray, " M"],
    chosen: int,
) -> go.Figure:
    """Draw the losses, one translation's among them, above the entropy of attention on it, in bits, by update. `chosen`
    is the place of the marked moment."""
    figure = _two_rows(LOSS, "mean entropy, bits")
    figure.add_traces(_losses(history), rows=1, cols=1)
    watched = (("this translation", unlikely), ("entropy of this sentence", entropies))
    for row, (name, values) in enumerate(watched, start=1):
        sizes = [14 if moment == chosen else 7 for moment in range(len(updates))]
        marker = {"size": sizes, "opacity": 1, "symbol": "circle"}
        figure.add_trace(line(name, updates, values.tolist(), row - 1, marker=marker), row=row, col=1)
    figure.add_vline(x=updates[chosen], line={"color": CATEGORIES[-1], "width": 1.5, "dash": "dash"})
    figure.update_xaxes(type="log", tickformat=",d", dtick=1).update_yaxes(rangemode="tozero")
    return titled(figure, HOVER).update_layout(height=520, margin={"t": 70}, legend={"y": 1.1})


def sharpening(updates: Sequence[int], entropies: Float[ndarray, " M"]) -> str:
    """Say when attention on one sentence became most concentrated, if it did."""
    first, last = (component(entropies[place]) for place in (0, -1))
    if first == last or entropies[-1] > entropies[0]:
        return f"On this sentence attention did not sharpen: its mean entropy went from {first} to {last} bits."
    place = int(argmin(diff(entropies)))
    before, after = (component(entropies[moment]) for moment in (place, place + 1))
    return (
        f"On this sentence attention sharpened most between updates {updates[place]:,} and {updates[place + 1]:,}: its "
        f"mean entropy fell from {before} to {after} bits, and over the whole training from {first} to {last}."
    )


def _two_rows(above: str, below: str) -> go.Figure:
    """Return an empty figure of two rows with these titles, which name quantity and unit, in the CSV too."""
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.12, subplot_titles=(above, below))
    figure.update_layout(meta={"y": above, "y2": below}, showlegend=True).update_xaxes(
        title={"text": "update"}, row=2, col=1
    )
    return figure.update_annotations(font={"size": 14}, x=0, xanchor="left")


def _losses(history: Sequence[Mapping[str, float]]) -> list[go.Scatter]:
    lines = []
    for place, (column, name, dash) in enumerate(LOSSES, start=4):
        rows = [row for row in history if column in row]
        updates, values = ([row[key] for row in rows] for key in ("update", column))
        lines.append(line(name, updates, values, place, mode="lines", line={"dash": dash}))
    return lines


STARTS = (0, 10, 20, 30)  # positions from which products are drawn


def products(table: Float[ndarray, "T D"]) -> go.Figure:
    """Draw the product of a position's encoding with each later one, by distance, from several positions."""
    lines = []
    for place, start in enumerate(start for start in STARTS if start < len(table)):
        later = (table[start:] @ table[start]).tolist()
        marker = {"symbol": f"{MARKERS[place]}-open", "size": 4 + 2 * place, "color": CATEGORIES[place]}
        mode = "markers" if place else "lines+markers"
        lines.append(line(f"from position {start}", range(len(later)), later, place, mode=mode, marker=marker))
    return over(lines, "how many positions further", "dot product", "%{x} further: %{y:.3f}").update_layout(height=360)
