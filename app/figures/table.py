"""The numbers that a figure draws, as rows: its CSV contains what it shows."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any

import plotly.graph_objects as go

from regard.model.archive import no_formula

PLACES = "places"  # a trace's meta if its points stand at named places of both axes
LOOKS = "looks"  # a trace's meta if it only repeats another's marks
HEADS = ("series", "x", "y", "value", "low", "high")
Row = tuple[Any, ...]
Names = dict[Any, str]  # the names of places on an axis

_TAGS = re.compile(r"</?(b|i|sub|sup)>")


def to_csv(figure: go.Figure) -> str:
    """Return a line for each mark: a heatmap's cell value, or the y of bars and lines with its interval, if any. Points
    of a trace with the meta PLACES have only their places, and a trace with the meta LOOKS has no lines. A figure whose
    meta maps its y axes to quantities has a last column with the quantity."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    traces: Any = figure.data
    layout: Any = figure.layout
    quantities: dict[str, str] = layout.meta or {}
    writer.writerow((*HEADS, "quantity") if quantities else HEADS)
    for trace in traces:
        if trace.meta == LOOKS:
            continue
        columns, rows = (
            _names(layout[f"{axis[0]}axis{axis[1:]}"]) for axis in (trace.xaxis or "x", trace.yaxis or "y")
        )
        draw = _places if trace.meta == PLACES else _cells if trace.type == "heatmap" else _marks
        quantity = (quantities[trace.yaxis],) if quantities else ()
        writer.writerows(_plain((*row, *quantity)) for row in draw(trace, columns, rows))
    return text.getvalue()


def _plain(row: Row) -> Row:
    """Return texts as they read, without the tags and entities of Plotly, and escaped where a spreadsheet would read a
    formula; numbers stay as they are."""
    return tuple(no_formula(_read(value)) if isinstance(value, str) else value for value in row)


def _read(text: str) -> str:
    return unescape(_TAGS.sub("", text.replace("<br>", ", ")))


def _places(trace: Any, columns: Names, rows: Names) -> Iterator[Row]:
    for column, row in zip(trace.x, trace.y, strict=True):
        yield trace.name or "", columns.get(column, column), rows.get(row, row), "", "", ""


def _cells(trace: Any, columns: Names, rows: Names) -> Iterator[Row]:
    rows_at = range(len(trace.z)) if trace.y is None else trace.y
    columns_at = range(len(trace.z[0])) if trace.x is None else trace.x
    for row, values in zip(rows_at, trace.z, strict=True):
        for column, value in zip(columns_at, values, strict=True):
            yield trace.name or "", columns.get(column, column), rows.get(row, row), value, "", ""


def _marks(trace: Any, columns: Names, rows: Names) -> Iterator[Row]:
    across = trace.type == "bar" and trace.orientation == "h"
    named, measured = (trace.y, trace.x) if across else (trace.x, trace.y)
    error = trace.error_x if across else trace.error_y
    names = rows if across else columns
    for index, (place, value) in enumerate(zip(named, measured, strict=True)):
        low = high = ""
        if error.array is not None:
            below = error.array if error.arrayminus is None else error.arrayminus
            low, high = value - below[index], value + error.array[index]
        yield trace.name or "", names.get(place, place), "", value, low, high


def _names(axis: Any) -> Names:
    """Return tick texts by the value they stand for."""
    values: Sequence[Any] = axis.tickvals if axis.tickvals is not None else ()
    texts: Sequence[str] = axis.ticktext if axis.ticktext is not None else ()
    return dict(zip(values, texts, strict=True))
