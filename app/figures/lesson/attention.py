"""Diagrams of attention: the decoder compares, turns scores into weights and adds up; weights become a line."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.lesson.svg import Palette, arrow, bar, drawing, label, line, vector, word
from regard.model.reference.formulas import softmax

WORDS = ("I", "love", "you")
ROWS = (45, 125, 205)
EXAMPLE_SCORES = np.array([1.0, 2.0, 0.0])


def scoring(palette: Palette) -> str:
    """Draw the decoder's state compared with each annotation, which gives a score for each."""
    marks = [vector(60, 83, [palette.target] * 6), label(60, 190, "query s_t", palette.ink)]
    for place, (y, text) in enumerate(zip(ROWS, WORDS, strict=True), 1):
        marks += [
            line(74, 125, 190, y, palette.quiet),
            *(vector(200 + 14 * cell, y - 7, (palette.source,)) for cell in range(6)),
            label(186, y - 16, f"h_{place}", palette.ink, "start", 14),
            arrow(284, y, 318, y, palette),
            label(338, y + 5, f"e_{place}", palette.ink, size=17),
            word(415, y, text, palette.source, palette),
        ]
    return drawing(480, 250, palette, *marks)


def squashing(palette: Palette) -> str:
    """Draw three scores, and the one bar that the softmax divides among them."""
    weights, top, height = softmax(EXAMPLE_SCORES), 30, 180
    marks = [label(110, 240, "scores", palette.ink), label(390, 240, "weights: one whole", palette.ink)]
    marks += [arrow(215, 120, 300, 120, palette), label(256, 108, "softmax", palette.ink)]
    for place, (score, weight) in enumerate(zip(EXAMPLE_SCORES, weights, strict=True)):
        marks.append(bar(55 + 40 * place, 210 - 65 * score, 28, max(2, 65 * score), palette.source))
        marks.append(label(69 + 40 * place, 200 - 65 * score, f"e_{place + 1}", palette.ink))
        marks.append(bar(340, top, 60, height * weight - 3, palette.source))
        marks.append(label(412, top + height * weight / 2 + 4, f"α_{place + 1}", palette.ink, "start"))
        top += height * weight
    return drawing(480, 250, palette, *marks)


def mixing(palette: Palette) -> str:
    """Draw the annotations added to one list, each scaled by its weight."""
    weights, marks = softmax(EXAMPLE_SCORES), []
    for place, (y, weight) in enumerate(zip(ROWS, weights, strict=True), 1):
        strip = "".join(vector(170 + 14 * cell, y - 7, (palette.source,)) for cell in range(6))
        marks += [
            label(92, y + 5, f"α_{place}", palette.ink, size=17),
            label(126, y + 5, "×", palette.ink),
            f'<g opacity="{0.45 + 0.55 * weight:.2f}">{strip}</g>',
            label(277, y + 5, f"h_{place}", palette.ink),
            arrow(296, y, 352, 125 + 0.25 * (y - 125), palette, 1 + 4 * weight),
        ]
    marks += [*(vector(362 + 14 * cell, 118, (palette.target,)) for cell in range(6))]
    marks += [label(397, 165, "context c_t", palette.ink), label(397, 104, "sum", palette.quiet, size=14)]
    return drawing(480, 250, palette, *marks)


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
