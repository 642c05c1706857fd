"""Notebook: documents in the output of a cell, each in a frame with an origin of its own, which the notebook cannot
reach. Where scripts do not run, as in a saved notebook that is not trusted, a picture (SVG) of the weights remains.
"""

import base64
from collections.abc import Sequence
from html import escape

import numpy as np

from regard.app.components.shared.modules import script
from regard.app.export.document import HERE, TracePage, code, embedded, style
from regard.app.export.page import described, described_attention
from regard.app.theme import CATEGORIES
from regard.app.visitor.question import opening_step, telling_step
from regard.model.alignment import Alignment, token_label
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.trace import AnyTrace

STYLE = "width: 100%; height: 820px; border: 0; resize: vertical"  # a usual translation with its header
ROOM = 4_000_000  # characters of the documents in one output
UNTRUSTED = (
    "This is a picture, because scripts do not run here. To step through it, trust the notebook, in JupyterLab with "
    "<em>Trust Notebook</em> in the command palette."
)
CELL, ROW, LETTER = 38, 24, 8.5  # width and height of a cell, and width of a letter, in pixels
LEAST = 0.0005  # a smaller weight is 0.0% and gets no cell
NUMBERED = 30  # rows or columns up to which cells have their numbers


def given_page_of(given: GivenAttention) -> str:
    """Return the page of given attention."""
    return described_attention(given).html()


def given_frame(given: GivenAttention) -> str:
    """Return the output of given attention."""
    return _output([described_attention(given)], _still(given.alignment, opening_step(len(given.target))))


def frames(traces: Sequence[AnyTrace]) -> str:
    """Return the output of traces; several are chosen from a list, as many of the first as there is room for."""
    documents: list[TracePage] = []
    size = 0
    for trace in traces:
        document = described([trace])
        size += len(embedded(document.data))
        if documents and size > ROOM:
            break
        documents.append(document)
    if not documents:
        return "<p>No traces.</p>"
    return _output(documents, _still(traces[0].alignment, telling_step(traces[0])), len(traces))


def _output(documents: Sequence[TracePage], picture: str, total: int = 1) -> str:
    """Return documents as one output, with a list to choose from if several; `total` includes those left out."""
    first = documents[0]
    options = "".join(f"<option>{number}: {escape(one.title)}</option>" for number, one in enumerate(documents, 1))
    few = f"<small>The first {len(documents)} of {total:,}.</small>" if total > len(documents) else ""
    data = {"style": style(), "code": code(), "pages": [one.around() for one in documents]}
    return (
        '<div class="regard-output">'
        + (f'<p><select aria-label="Translation">{options}</select> {few}</p>' if total > 1 else "")
        + f'{picture}<iframe srcdoc="{escape(first.html())}" sandbox="allow-scripts" style="{STYLE}" '
        f'title="{escape(f"Attention, step by step: {first.title}")}"></iframe>'
        + (f'<script type="application/json">{embedded(data)}</script>' if total > 1 else "")
        + f"<script>{{{script(HERE / 'notebook.js')}}}</script></div>"
    )


def _still(alignment: Alignment, step: int) -> str:
    """Return the weights as an image, a row for each target token and a column for each source token."""
    rows, columns = ([token_label(token) for token in side.tokens] for side in (alignment.target, alignment.source))
    left, top = (int(20 + LETTER * max(map(len, names))) for names in (rows, columns))
    width, height = left + CELL * len(columns) + top, top + ROW * len(rows) + 10
    marks = [
        f'<text transform="translate({left + CELL * (place + 0.5)} {top - 8}) rotate(-45)">{escape(name)}</text>'
        for place, name in enumerate(columns)
    ]
    marks += [
        f'<text x="{left - 8}" y="{top + ROW * place + 17}" text-anchor="end">{escape(name)}</text>'
        for place, name in enumerate(rows)
    ]
    for row, column in np.argwhere(alignment.weights >= LEAST).tolist():
        weight = float(alignment.weights[row, column])
        x, y = left + CELL * column, top + ROW * row
        marks.append(
            f'<rect x="{x}" y="{y}" width="{CELL - 1}" height="{ROW - 1}" fill-opacity="{weight:.3f}" class="cell"/>'
        )
        if max(len(rows), len(columns)) <= NUMBERED:
            ink = ' fill="#fff"' if weight > 0.6 else ""
            marks.append(f'<text x="{x + CELL / 2}" y="{y + 17}" text-anchor="middle"{ink}>{100 * weight:.1f}</text>')
    outline = f'<rect x="{left}" y="{top + ROW * (step - 1)}" width="{CELL * len(columns)}" height="{ROW - 1}" '
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" font-size="13"><style>.cell {{ fill: {CATEGORIES[0]} }}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(marks)}'
        f'{outline}fill="none" stroke="{CATEGORIES[1]}" stroke-width="2"/></svg>'
    )
    about = f"Attention weights in percent, a row for each target token; step {step} is outlined."
    return (
        f'<div class="regard-still"><img alt="{about}" '
        f'src="data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"><p>{UNTRUSTED}</p></div>'
    )
