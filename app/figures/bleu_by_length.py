"""BLEU by the length of the source sentence, from `scores.json`, as a figure and as a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from regard.app.figures.heatmap import LONGEST_NAME, plain
from regard.app.theme import CATEGORIES
from regard.app.wording import listed
from regard.model.evaluation import scores_record

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
    figure = go.Figure([_line(name, rows, place, place < strong) for place, (name, rows) in enumerate(models)])
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


def finding(attending: Sequence[Bucket], without: Sequence[Bucket]) -> str:
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


def _line(name: str, rows: Sequence[Bucket], place: int, bold: bool) -> go.Scatter:
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
