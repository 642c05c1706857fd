"""Still: the weights of an attention as a picture (SVG), for a notebook whose scripts do not run."""

import base64
from html import escape

import numpy as np

from regard.app.theme import CATEGORIES
from regard.model.alignment import Alignment, token_label

CELL, ROW, LETTER = 38, 24, 8.5  # width and height of a cell, and width of a letter, in pixels
LEAST = 0.0005  # a smaller weight is 0.0% and gets no cell
NUMBERED = 30  # rows or columns up to which cells have their numbers


def still(alignment: Alignment, step: int) -> str:
    """Return an image element: a row for each target token, a column for each source token; `step` is outlined."""
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
    about = (
        "Attention weights in percent, with a row for each target token and a column for each source token; step "
        f"{step} is outlined."
    )
    return f'<img alt="{about}" src="data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}">'
