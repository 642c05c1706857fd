"""Diagram of attention as it is learned: the weights at moments of a training become a line."""

from collections.abc import Sequence

from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.lesson.svg import Palette, arrow, drawing, label

GRID = 110  # pixels, of a side
LEFT, TOP, APART = 26, 70, 162


def learned(palette: Palette, moments: Sequence[tuple[str, Float[ndarray, "T S"]]]) -> str:
    """Draw the weights at three moments of a training, each as a grid with a row per step; the names are below."""
    marks = []
    for place, (name, weights) in enumerate(moments):
        left, (rows, columns) = LEFT + APART * place, weights.shape
        width, height = GRID / columns, GRID / rows
        marks += [
            f'<rect x="{left + width * column:.1f}" y="{TOP + height * row:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" fill="{palette.source.line}" fill-opacity="{weights[row, column]:.2f}" '
            f'stroke="{palette.plain.line}" stroke-width="0.8"/>'
            for row in range(rows)
            for column in range(columns)
        ]
        marks.append(label(left + GRID / 2, TOP + GRID + 28, name, palette.ink))
        if place:
            marks.append(arrow(left - 42, TOP + GRID / 2, left - 10, TOP + GRID / 2, palette))
    return drawing(480, 250, palette, *marks)
