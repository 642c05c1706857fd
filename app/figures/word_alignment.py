"""A model's attention between words, or its posterior, overlaid with the links that people drew."""

from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import SHARES, plain, ticks
from regard.app.figures.table import LOOKS, PLACES
from regard.app.theme import CATEGORIES, LEGEND_AT_TOP
from regard.model.words import END

if TYPE_CHECKING:  # its module needs torch, the value does not
    from regard.model.word_alignment.comparison import Compared

SMALLEST, LARGEST, ROOM = 24, 44, 640  # pixels: of a cell's side, and of the width a short sentence may fill
CHARACTER, SLANT = 8.2, 0.85  # pixels of a letter, and the sine of the angle of column names
LEGEND, SCALE = 30, 90  # pixels above the names, and to the right of the cells
FIXED = {"automargin": False, "zeroline": False}
PEOPLE, MODEL, RIM = CATEGORIES[1], CATEGORIES[0], "#FFFFFF"


def link_map(compared: "Compared") -> go.Figure:
    """Draw weights in percent, target words down and source words across; squares, circles and diamonds are links. The
    figure has a width of its own: a long sentence is scrolled, not squeezed."""
    columns, rows = (*compared.source, END), compared.target
    side = min(LARGEST, max(SMALLEST, ROOM // max(1, len(columns))))
    what = "weight" if compared.what == "attention" else "posterior"
    figure = go.Figure().add_heatmap(
        z=100 * compared.weights,
        customdata=np.array(_hover_texts(compared)).reshape(len(rows), len(columns), 3),
        hovertemplate="%{customdata[0]} – %{customdata[1]}: %{z:.4f}%%{customdata[2]}<extra></extra>",
        colorbar={"title": {"text": what}, "ticksuffix": "%", "lenmode": "pixels", "len": 160},
        **SHARES,
    )
    gold = compared.gold
    _outlines(figure, "sure link", gold.sure, "square-open", 0.72 * side)
    _outlines(figure, "possible link", gold.possible - gold.sure, "circle-open", 0.62 * side)
    inside = {"symbol": "diamond", "size": 0.34 * side, "color": MODEL, "line": {"width": 1.5, "color": RIM}}
    _marks(figure, "the model's link", compared.proposed, inside)
    left, top = 16 + CHARACTER * _longest(rows), LEGEND + 16 + CHARACTER * SLANT * _longest(columns)
    return figure.update_layout(
        xaxis={**ticks(columns), "side": "top", "tickangle": -60, "range": [-0.5, len(columns) - 0.5], **FIXED},
        yaxis={**ticks(rows), "range": [len(rows) - 0.5, -0.5], **FIXED},
        legend=LEGEND_AT_TOP | {"xref": "container"},
        margin={"l": left, "r": SCALE, "t": top, "b": 10, "autoexpand": False},
        width=left + SCALE + side * len(columns),
        height=top + 10 + max(160, side * len(rows)),
    )


def _outlines(figure: go.Figure, name: str, links: frozenset[tuple[int, int]], symbol: str, size: float) -> None:
    """Draw people's links in their colour with a white rim, so that they stand out from every weight."""
    for colour, width, meta in ((RIM, 5, LOOKS), (PEOPLE, 2.5, PLACES)):
        _marks(figure, name, links, {"symbol": symbol, "size": size, "color": colour, "line": {"width": width}}, meta)


def _marks(
    figure: go.Figure, name: str, links: frozenset[tuple[int, int]], marker: dict[str, Any], meta: str = PLACES
) -> None:
    source, target = zip(*sorted(links), strict=True) if links else ((), ())
    shown = meta == PLACES  # in the legend
    figure.add_scatter(
        x=source, y=target, name=name, mode="markers", marker=marker, hoverinfo="skip", showlegend=shown, meta=meta
    )


def _hover_texts(compared: "Compared") -> list[list[tuple[str, str, str]]]:
    """Return for each cell its words and whose link it is."""
    gold, proposed = compared.gold, compared.proposed
    sources = [plain(word) for word in (*compared.source, END)]

    def link(place: tuple[int, int]) -> str:
        people = " · sure link" if place in gold.sure else " · possible link" if place in gold.possible else ""
        return people + (" · the model's link" if place in proposed else "")

    return [
        [(plain(word), source, link((column, row))) for column, source in enumerate(sources)]
        for row, word in enumerate(compared.target)
    ]


def _longest(labels: tuple[str, ...]) -> int:
    return max((min(24, len(label)) for label in labels), default=1)
