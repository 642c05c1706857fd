"""Pictures of the lesson: diagrams as SVG in the colours of the page around them, then figures with numbers.

Blue belongs to the source, vermilion to the target, in every diagram. A diagram is a function of a palette.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.figures.token_bars import OUTSIDE, WHOLE
from regard.app.theme import CATEGORIES, FONT, around_zero
from regard.model.alignment import token_label
from regard.model.trace import Trace


class Tone(NamedTuple):
    line: str
    fill: str


class Palette(NamedTuple):
    """Colours: words are in `ink`, marks between them in `quiet`."""

    ink: str
    quiet: str
    source: Tone
    target: Tone
    plain: Tone


PALETTES = {
    "light": Palette(
        ink="#17202A",
        quiet="#5B6570",
        source=Tone("#0072B2", "#D8EAF5"),
        target=Tone("#D55E00", "#FBE4D3"),
        plain=Tone("#6B7683", "#F1F4F8"),
    ),
    "dark": Palette(
        ink="#E9EDF2",
        quiet="#A9B4C0",
        source=Tone("#5DB0E6", "#173A52"),
        target=Tone("#F28C4B", "#55301A"),
        plain=Tone("#8D99A6", "#1D242E"),
    ),
}
HEAD = 7  # pixels of an arrow's head


def drawing(width: int, height: int, palette: Palette, *marks: str) -> str:
    """Return the marks as one picture, each drawn over those before it."""
    head = (
        f'<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="{HEAD}" markerHeight="{HEAD}" '
        f'orient="auto-start-reverse" markerUnits="userSpaceOnUse"><path d="M0 0L10 5L0 10z" fill="{palette.quiet}"/>'
        "</marker>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{FONT}" font-size="15"><defs>{head}</defs>{"".join(marks)}</svg>'
    )


def box(x: float, y: float, width: float, height: float, tone: Tone, more: str = "") -> str:
    """Return a rectangle; x and y are its upper left corner, `more` its other attributes."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{tone.fill}" stroke="{tone.line}" {more}/>'


def word(x: float, y: float, text: str, tone: Tone, palette: Palette, width: float = 62) -> str:
    """Return a word in a box; x and y are its middle."""
    return box(x - width / 2, y - 15, width, 30, tone, 'rx="7" stroke-width="1.5"') + label(x, y + 5, text, palette.ink)


def label(x: float, y: float, text: str, colour: str, anchor: str = "middle", size: float = 15) -> str:
    """Return words without a box; an underscore begins a subscript, so that `s_t` is s with the index t."""
    base, _, index = text.partition("_")
    lowered = f'<tspan dy="4" font-size="{0.72 * size:.1f}">{escape(index)}</tspan>' if index else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
        f"{escape(base)}{lowered}</text>"
    )


def arrow(x: float, y: float, to_x: float, to_y: float, palette: Palette, width: float = 1.5) -> str:
    return (
        f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="{palette.quiet}" stroke-width="{width}" '
        'marker-end="url(#head)"/>'
    )


def step(x: float, y: float, text: str, palette: Palette, width: float = 70) -> str:
    """Return a computation as a rounded box; x and y are its middle."""
    drawn = box(x - width / 2, y - 14, width, 28, palette.plain, 'rx="14" stroke-width="1.2"')
    return drawn + label(x, y + 5, text, palette.ink, size=14)


SOURCE_Y, STATE_Y = 62, 188  # of the way from the source, and of that from what is written


def ways(palette: Palette) -> str:
    """Draw the ways to a word if the state never sees the source: attention alone leads from it to the word."""
    return _ways(palette, label(212, STATE_Y + 38, "made of these words alone", palette.quiet, size=13))


def ways_from_looks(palette: Palette) -> str:
    """Draw the ways to a word if the state also remembers what attention found before."""
    line = arrow(300, SOURCE_Y + 16, 208, STATE_Y - 16, palette, 2.5)
    return _ways(palette, line, label(246, 128, "found earlier", palette.ink, "end", 13))


def ways_from_start(palette: Palette) -> str:
    """Draw the ways to a word if the state also begins from the encoder's last states."""
    line = arrow(192, SOURCE_Y + 16, 192, STATE_Y - 16, palette, 2.5)
    return _ways(palette, line, label(182, 128, "where it begins", palette.ink, "end", 13))


def _ways(palette: Palette, *marks: str) -> str:
    """Draw the way from the source through annotations and attention, that from the written words through the state,
    and these marks."""
    return drawing(
        480,
        250,
        palette,
        label(58, SOURCE_Y - 32, "source", palette.quiet, size=14),
        word(58, SOURCE_Y, "I love you", palette.source, palette, 96),
        arrow(108, SOURCE_Y, 136, SOURCE_Y, palette),
        step(192, SOURCE_Y, "annotations", palette, 108),
        arrow(248, SOURCE_Y, 276, SOURCE_Y, palette, 3.5),
        step(322, SOURCE_Y, "attention", palette, 88),
        arrow(350, SOURCE_Y + 18, 408, 105, palette, 3.5),
        label(58, STATE_Y - 32, "written so far", palette.quiet, size=14),
        word(58, STATE_Y, "Je t'", palette.target, palette, 96),
        arrow(108, STATE_Y, 152, STATE_Y, palette),
        step(192, STATE_Y, "state", palette, 76),
        arrow(232, STATE_Y, 392, 144, palette),
        arrow(222, STATE_Y - 16, 316, SOURCE_Y + 18, palette),
        label(296, 128, "asks", palette.quiet, "start", 13),
        word(430, 125, "aime", palette.target, palette, 72),
        *marks,
    )


LEFT, TOP, CELL = 190, 62, 42  # of the grid of weights, in pixels
ENGLISH, FRENCH = ("I", "love", "you", "."), ("Je", "t'", "aime", ".")


def rows(palette: Palette) -> str:
    """Draw a grid with a row per step, named by the word produced on one side and by the word fed in on the other."""
    chosen, last = 1, len(ENGLISH)
    marks = [
        label(LEFT - 12, 40, "produced", palette.quiet, "end"),
        label(LEFT + CELL * last + 12, 40, "fed in", palette.quiet, "start"),
    ]
    for column, text in enumerate(ENGLISH):
        marks.append(label(LEFT + CELL * (column + 0.5), 40, text, palette.ink))
    for row, (made, fed) in enumerate(zip(FRENCH, ("<s>", *FRENCH), strict=False)):
        y = TOP + CELL * (row + 0.5) + 5
        marks += [
            *(box(LEFT + CELL * column, TOP + CELL * row, CELL, CELL, palette.plain) for column in range(last)),
            label(LEFT - 12, y, made, palette.ink, "end"),
            label(LEFT + CELL * last + 12, y, fed, palette.ink, "start"),
        ]
    y = TOP + CELL * chosen
    marks.append(box(LEFT, y, CELL * last, CELL, palette.target, 'stroke-width="2.5"'))
    marks.append(label(LEFT + CELL * last / 2, y + CELL / 2 + 5, "one step: one row", palette.ink))
    return drawing(480, 250, palette, *marks)


GRID, MARGIN, APART = 110, 26, 162  # pixels: side of a grid, left of the first, from one to the next
GRID_Y = 70


def learned(palette: Palette, moments: Sequence[tuple[str, Float[ndarray, "T S"]]]) -> str:
    """Draw the weights at three moments of a training, each as a grid with a row per step; the names are below."""
    marks = []
    for place, (name, weights) in enumerate(moments):
        left, (rows, columns) = MARGIN + APART * place, weights.shape
        width, height = GRID / columns, GRID / rows
        marks += [
            f'<rect x="{left + width * column:.1f}" y="{GRID_Y + height * row:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" fill="{palette.source.line}" fill-opacity="{weights[row, column]:.2f}" '
            f'stroke="{palette.plain.line}" stroke-width="0.8"/>'
            for row in range(rows)
            for column in range(columns)
        ]
        marks.append(label(left + GRID / 2, GRID_Y + GRID + 28, name, palette.ink))
        if place:
            marks.append(arrow(left - 42, GRID_Y + GRID / 2, left - 10, GRID_Y + GRID / 2, palette))
    return drawing(480, 250, palette, *marks)


GAP = 1.2  # rows between the one list and the others
CONTEXT, START = "context c", "state s₀"
ROW, TALLEST = 15, 560  # pixels of a row; of all rows together
NAMES_WIDTH = 92  # pixels for the names of rows


def one_list(trace: Trace) -> Float[ndarray, " E"]:
    """Return the constant context of a model without attention: the mean of the first and the last annotation."""
    return (trace.annotations[0] + trace.annotations[-1]) / 2


def given(alone: Trace) -> dict[str, Float[ndarray, " N"]]:
    """Return what a decoder without attention is given, by name: c, and s_0 where the encoder makes it."""
    start = {START: alone.initial_state} if alone.initial_state.any() else {}
    return {CONTEXT: one_list(alone), **start}


def memory(alone: Trace, trace: Trace, most: int) -> go.Figure:
    """Draw each number as a colour: the lists given to `alone`, then the annotations of `trace`. There is room for
    `most` tokens."""
    lists, tokens = given(alone), len(trace.source)
    names = [*lists, *map(token_label, trace.source)]
    top = len(lists) + GAP  # of the annotations
    places = [*map(float, range(len(lists))), *(top + place for place in range(tokens))]
    scale = float(np.quantile(np.abs(np.append(alone.annotations, trace.annotations)), 0.99))
    figure = go.Figure()
    alone_rows = [(row[None], [float(place)]) for place, row in enumerate(lists.values())]
    for values, at in (*alone_rows, (trace.annotations, places[len(lists) :])):
        figure.add_heatmap(
            z=values,
            x=list(range(1, values.shape[1] + 1)),
            y=at,
            **around_zero(scale),
            showscale=False,
            ygap=1,
            hovertemplate="number %{x}: %{z:.4f}<extra></extra>",
        )
    figure.update_layout(
        height=40 + min(TALLEST, round(ROW * (most + top))),
        margin={"l": NAMES_WIDTH, "r": 10, "t": 30, "b": 10, "autoexpand": False},
        xaxis={"visible": False},
        yaxis={
            "range": [top + most - 0.4, -0.6],
            "tickvals": places,
            "ticktext": [plain(name, 12) for name in names],
            "tickfont": {"size": 12},
            "showgrid": False,
            "zeroline": False,
        },
    )
    return figure


SOURCE, TARGET = CATEGORIES[0], CATEGORIES[1]
Point = Float[ndarray, "2"]
Span = tuple[float, float]


def arrows(query: Point, annotations: Mapping[str, Point], reach: float) -> go.Figure:
    """Draw the query in the target's colour, the annotations in the source's; both axes go from −reach to reach."""
    figure = go.Figure()
    for name, tip in annotations.items():
        _arrow(figure, name, tip, SOURCE, 3)
    _arrow(figure, "query", query, TARGET, 4)
    span = (-reach - 0.5, reach + 0.5)
    return _square(figure, span, span)


def triangle(annotations: Mapping[str, Point], context: Point) -> go.Figure:
    """Draw three annotations as corners, and the context among them."""
    figure, corners = go.Figure(), list(annotations.values())
    closed = [*corners, corners[0]]
    figure.add_scatter(
        x=[corner[0] for corner in closed],
        y=[corner[1] for corner in closed],
        mode="lines",
        fill="toself",
        fillcolor="rgba(0,114,178,0.12)",
        line={"color": SOURCE, "width": 2},
        hoverinfo="skip",
        name="triangle",
    )
    for name, corner in annotations.items():
        _dot(figure, name, corner, "top center", {"color": SOURCE, "size": 11, "symbol": "circle"})
    _dot(figure, "context", context, "bottom center", {"color": TARGET, "size": 15, "symbol": "diamond"})
    across, up = ((min(values) - 0.7, max(values) + 0.7) for values in zip(*corners, strict=True))
    return _square(figure, across, up)


def _arrow(figure: go.Figure, name: str, tip: Point, colour: str, width: int) -> None:
    figure.add_scatter(
        x=[0, tip[0]],
        y=[0, tip[1]],
        name=name,
        mode="lines+markers+text",
        line={"color": colour, "width": width},
        marker={"symbol": "arrow", "size": [0, 15], "angleref": "previous", "color": colour, "opacity": 1},
        text=["", f"<b>{name}</b>"],
        textposition="top center" if tip[1] >= 0 else "bottom center",
        cliponaxis=False,
        hovertemplate=f"{name}: (%{{x:.2f}}, %{{y:.2f}})<extra></extra>",
    )


def _dot(figure: go.Figure, name: str, place: Point, beside: str, marker: dict[str, Any]) -> None:
    figure.add_scatter(
        x=[place[0]],
        y=[place[1]],
        name=name,
        mode="markers+text",
        text=[f"<b>{name}</b>"],
        textposition=beside,
        cliponaxis=False,
        marker=marker,
        hovertemplate="%{fullData.name}: (%{x:.3f}, %{y:.3f})<extra></extra>",
    )


def _square(figure: go.Figure, across: Span, up: Span) -> go.Figure:
    """Make one unit equally long in both directions."""
    axis = {"dtick": 1, "zeroline": True, "zerolinewidth": 2, "constrain": "domain"}
    figure.update_layout(
        height=430,
        showlegend=False,
        xaxis=axis | {"range": list(across), "title": {"text": "first number"}},
        yaxis=axis | {"range": list(up), "title": {"text": "second number"}, "scaleanchor": "x"},
    )
    return figure


PLAIN: dict[str, Any] = {"bargap": 0.35, "showlegend": False}


def movement(words: Sequence[str], shares: Float[ndarray, " W"], changed: int) -> go.Figure:
    """Draw how far each word's annotation moved, in percent of its length; the word at `changed` was replaced."""
    labels = [plain(word, 12) for word in words]
    labels[changed] = f"<b>{labels[changed]}</b><br>changed"
    percent = 100 * shares
    figure = _bars(
        list(range(len(labels))), percent, [TARGET if place == changed else SOURCE for place in range(len(labels))]
    )
    figure.update_traces(
        texttemplate="%{y:.0f}%",
        customdata=[plain(word) for word in words],
        hovertemplate="%{customdata}: %{y:.3f}%<extra></extra>",
    )
    figure.update_layout(height=300)
    figure.update_xaxes(tickvals=list(range(len(labels))), ticktext=labels, automargin=True)
    figure.update_yaxes(range=[0, 1.2 * max(percent.max(), 1)], ticksuffix="%", title={"text": "moved by"}, nticks=5)
    return figure


def weights(words: Sequence[str], shares: Float[ndarray, " S"]) -> go.Figure:
    """Draw shares of a whole, in percent."""
    figure = _bars(list(words), 100 * shares, [SOURCE] * len(words))
    figure.update_traces(texttemplate="%{y:.1f}%", hovertemplate="%{x}: %{y:.4f}%<extra></extra>")
    figure.update_layout(height=320, margin={"b": 36})
    figure.update_yaxes(range=[0, 115], **WHOLE, title={"text": "weight"})
    return figure


def likely(trace: Trace, step: int) -> go.Figure:
    """Draw the likeliest tokens after a step (from 0), in percent, the written one in the target's colour."""
    ids, tokens = trace.top_ids[step].tolist(), trace.top_tokens[step]
    own = int(trace.target_ids[step])
    places = list(range(len(ids)))
    figure = go.Figure().add_bar(
        x=100 * trace.top_probabilities[step],
        y=places,
        orientation="h",
        marker={"color": [TARGET if index == own else CATEGORIES[-1] for index in ids]},
        texttemplate="%{x:.1f}%",
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{x:.4f}%<extra></extra>",
    )
    figure.update_layout(PLAIN | {"height": 380, "margin": {"l": 10, "r": 20, "t": 34, "b": 30}})
    figure.update_xaxes(range=[0, 118], **WHOLE)
    names = [plain(token_label(token), 14) for token in tokens]
    return figure.update_yaxes(
        range=[len(ids) - 0.4, -0.6], tickvals=places, ticktext=names, automargin=True, showgrid=False
    )


def _bars(names: Sequence[Any], heights: Float[ndarray, " N"], colours: Sequence[str]) -> go.Figure:
    return go.Figure().add_bar(x=names, y=heights, marker={"color": list(colours)}, **OUTSIDE).update_layout(PLAIN)
