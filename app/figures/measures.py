"""Measurements of whole models and texts: BLEU and exact match by length, alignment error rates, sentences of a text.

The first three are read from a model's `scores.json`; what their intervals show is also said in a sentence.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import GAPS, LONGEST_NAME, matrix, plain, ticks
from regard.app.figures.table import PLACES
from regard.app.figures.training import DASHES, SYMBOLS
from regard.app.theme import CATEGORIES, LEGEND_AT_TOP, WEIGHTS
from regard.app.wording import listed
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
    figure = go.Figure([_bleu_line(name, rows, place, place < strong) for place, (name, rows) in enumerate(models)])
    return figure.update_layout(
        scattermode="group",
        scattergap=0.7,
        height=400,
        showlegend=True,
        xaxis={
            "title": {"text": "source words, and number of pairs"},
            "categoryorder": "array",
            "categoryarray": [_tick(bucket) for bucket in every],
            "type": "category",
            "showgrid": False,
        },
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


def _bleu_line(name: str, rows: Sequence[Bucket], place: int, bold: bool) -> go.Scatter:
    colour = CATEGORIES[place % len(CATEGORIES)]
    return go.Scatter(
        x=[_tick(bucket) for bucket in rows],
        y=[bucket.bleu for bucket in rows],
        error_y=_interval_bars(rows) | {"thickness": 2 if bold else 1, "width": 4},
        name=plain(name, LONGEST_NAME),
        mode="lines+markers",
        opacity=1 if bold else 0.55,
        line={"color": colour, "width": 3 if bold else 1.5, "dash": "solid" if bold else "dot"},
        marker={"symbol": MARKERS[place % len(MARKERS)], "size": 9 if bold else 7},
        customdata=[(bucket.label, bucket.pairs, _interval(bucket)) for bucket in rows],
        hovertemplate="%{fullData.name}, %{customdata[0]} words: BLEU %{y:.2f}%{customdata[2]}, "
        "%{customdata[1]:,} pairs<extra></extra>",
    )


def _interval_bars(rows: Sequence[Bucket]) -> dict[str, Any]:
    """Return how far the interval extends up and down from each score; 0 if not measured."""
    ends = [(bucket.bleu, *(bucket.interval or (bucket.bleu, bucket.bleu))) for bucket in rows]
    if not any(bucket.interval for bucket in rows):
        return {"visible": False}
    up, down = [high - bleu for bleu, _, high in ends], [bleu - low for bleu, low, _ in ends]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down}


def _tick(bucket: Bucket) -> str:
    return f"{bucket.label}<br>{bucket.pairs:,} pair{'s' if bucket.pairs > 1 else ''}"


def _interval(bucket: Bucket) -> str:
    return f" ({bucket.interval[0]:.2f} to {bucket.interval[1]:.2f})" if bucket.interval else ""


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


def exact_shares(task: Mapping[str, Any]) -> tuple[ExactShare, ...]:
    """Return the rows of the part `task` of `scores.json`; none if not measured."""
    return tuple(
        ExactShare(row["length"], row["sequences"], row["share"], tuple(row["interval"]))
        for row in task.get("by_length", [])
    )


def sweep(title: str, scores: Mapping[str, Any]) -> Sweep | None:
    """Return the sweep of a model, or None if not measured."""
    task = scores_record.part(scores, "task")
    return Sweep(title, task["lengths"][1], measured) if (measured := exact_shares(task)) else None


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


def exact_finding(sweeps: Sequence[Sweep]) -> str:
    """Say from which length on each model gets fewer than half right, by the intervals, if any; Markdown."""
    sentences = []
    for each in sweeps:
        failing = [row.length for row in each.rows if row.interval[1] < 1 / 2]
        doubtful = [row.length for row in each.rows if row.interval[0] < 1 / 2 <= row.interval[1] and row.sequences > 1]
        where = (
            f"fewer than half of the sequences of {failing[0]} numbers"
            if failing
            else f"perhaps fewer than half of the sequences of {doubtful[0]} numbers"
            if doubtful
            else "at least half at every length"
        )
        sentences.append(f"**{each.title}** writes {where} exactly")
    trained = [str(each.trained) for each in sweeps]
    told = f"{trained[0]} numbers (dotted line)"
    if len(set(trained)) > 1:
        told = f"{listed(trained)} numbers, in this order (dotted lines)"
    return f"{'; '.join(sentences)}, by the 95% intervals. They were trained on sequences of up to {told}."


def exact_by_length(models: Sequence[tuple[str, Sequence[ExactShare]]], trained: tuple[int, int]) -> go.Figure:
    """Draw the share each model writes exactly, by length, in percent; a bar spans the interval. `trained` are the
    shortest and the longest length they learned from, which are marked."""
    figure = go.Figure([_exact_line(name, rows, place) for place, (name, rows) in enumerate(models)])
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


def _exact_line(name: str, rows: Sequence[ExactShare], place: int) -> go.Scatter:
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


LABELLED = {"output": "produced", "input": "fed in"}  # the word that a row of weights belongs to
READINGS = {  # sources of a model's links
    **{rows: f"weights, row of the word {whose}" for rows, whose in LABELLED.items()},
    "posterior": "posterior, knowing the word",
    "posterior_hmm": "posterior with jumps",
}


class Rate(NamedTuple):
    """The agreement with people's links of a model under one reading, or of a baseline (no reading)."""

    name: str
    rows: str  # one of READINGS
    aer: float
    precision: float
    recall: float
    mass: float | None = None


def rate(value: float) -> str:
    """Format a rate with three decimals, as published tables do."""
    return f"{value:.3f}"


ROW, ABOVE = 48, 18  # pixels of a row, and of its name above its line
BESIDE_NAME = 0.19  # of a row, from its line to its name
BARE = {"showticklabels": False, "showgrid": True, "zeroline": False}  # names stand above the rows
SERIES = {
    "output": (READINGS["output"], CATEGORIES[1], "circle", "middle right"),
    "input": (READINGS["input"], CATEGORIES[0], "diamond-open", "middle right"),
    "posterior": (READINGS["posterior"], CATEGORIES[2], "triangle-up", "bottom center"),
    "posterior_hmm": (READINGS["posterior_hmm"], CATEGORIES[2], "triangle-up-open", "middle left"),
    "": ("baseline", CATEGORIES[-1], "square", "middle right"),
}


def error_rates(rates: Sequence[Rate]) -> go.Figure:
    """Draw a line for each model and baseline, in the order given; a point for each rate, its number beside it."""
    names = list(dict.fromkeys(each.name for each in rates))
    figure = go.Figure()
    for rows, (series, colour, symbol, beside) in SERIES.items():
        chosen = [each for each in rates if each.rows == rows]
        if chosen:
            figure.add_scatter(
                x=[each.aer for each in chosen],
                y=[names.index(each.name) for each in chosen],
                name=series,
                mode="markers+text",
                text=[rate(each.aer) for each in chosen],
                textposition=beside,
                marker={"color": colour, "symbol": symbol, "size": 11, "line": {"width": 2, "color": colour}},
                customdata=[plain(each.name, LONGEST_NAME) for each in chosen],
                hovertemplate="%{customdata}: %{x:.4f}<extra>%{fullData.name}</extra>",
                cliponaxis=False,
                meta=PLACES,
            )
    dots = {"type": "line", "line": {"dash": "dot", "width": 1, "color": CATEGORIES[-1]}, "layer": "below"}
    baselines = [each.aer for each in rates if not each.rows]
    figure.update_layout(
        shapes=[
            {**dots, "x0": aer, "x1": aer, "y0": place - BESIDE_NAME, "y1": place + 1 - 2 * ABOVE / ROW + BESIDE_NAME}
            for aer in baselines
            for place in range(len(names))
        ],
        xaxis={"title": {"text": "AER, lower is closer to people's links"}, "range": [0, 1]},
        yaxis={**ticks(tuple(names), LONGEST_NAME), **BARE, "range": [len(names) - 0.5, -0.5]},
        legend=LEGEND_AT_TOP,
        height=150 + ROW * len(names),
        margin={"l": 10, "r": 50, "t": 50, "b": 60},
    )
    for place, name in enumerate(names):
        left = {"x": 0, "xref": "paper", "xanchor": "left", "showarrow": False}
        figure.add_annotation(left, text=plain(name, LONGEST_NAME), y=place, yshift=ABOVE)
    return figure


def head_error_rates(heads: Sequence[Sequence[float]], layers: Sequence[float]) -> go.Figure:
    """Draw a row for each layer, a column for each head, and one for the layer's mean; brighter is better."""
    rates = np.column_stack([np.array(heads), np.array(layers)])
    columns = (*(f"head {head + 1}" for head in range(rates.shape[1] - 1)), "mean of heads")
    cells = go.Heatmap(
        z=rates,
        zmin=0,
        zmax=1,
        colorscale=WEIGHTS,
        reversescale=True,
        text=[[rate(value) for value in row] for row in rates],
        texttemplate="%{text}",
        hovertemplate="layer %{y}, column %{x}: AER %{z:.3f}<extra></extra>",
        colorbar={"title": {"text": "AER"}},
        **GAPS,
    )
    return matrix(cells, [f"layer {row + 1}" for row in range(len(rates))], columns, 110 + 44 * len(rates))


HEIGHT = 250
MOST = {"bleu": 100, "chrf": 100, "aer": 1}
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
        bar = {"title": {"text": NUMBERS[colour].label}, "thickness": 12, "outlinewidth": 0}
        bar |= {"tickformat": PERCENT} if NUMBERS[colour].share else {}
        values = [getattr(row, colour) for row in some]
        marker |= {"color": values, "colorscale": WEIGHTS, "colorbar": bar}
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
    axis: dict[str, Any] = {"title": {"text": about.label}, "zeroline": False}
    if about.share:
        axis["tickformat"] = PERCENT
    if most := 1 if about.share else MOST.get(name):
        axis["autorangeoptions"] = {"clipmin": 0, "clipmax": most}
    return axis
