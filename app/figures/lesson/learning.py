"""Diagram of the lesson: weights that are even at first become a line."""

from app.figures.lesson.svg import Palette, arrow, drawing, label

CELLS, SIZE = 5, 22  # of a grid; pixels of a cell
SPREADS = ((100.0, "at first"), (1.1, "later"), (0.35, "at the end"))  # how far from its line a step looks
LEFT, TOP, APART = 26, 70, 162


def growing(palette: Palette) -> str:
    """Three moments of training, each as a grid with a row for a step."""
    marks = []
    for place, (spread, name) in enumerate(SPREADS):
        left = LEFT + APART * place
        for row in range(CELLS):
            looks = [2.0 ** -(((column - (CELLS - 1 - row)) / spread) ** 2) for column in range(CELLS)]
            marks += [
                f'<rect x="{left + SIZE * column}" y="{TOP + SIZE * row}" width="{SIZE}" height="{SIZE}" '
                f'fill="{palette.source.line}" fill-opacity="{0.9 * look / sum(looks) + 0.04:.2f}" '
                f'stroke="{palette.plain.line}" stroke-width="0.8"/>'
                for column, look in enumerate(looks)
            ]
        marks.append(label(left + SIZE * CELLS / 2, TOP + SIZE * CELLS + 28, name, palette.ink))
        if place:
            marks.append(arrow(left - 42, TOP + SIZE * CELLS / 2, left - 10, TOP + SIZE * CELLS / 2, palette))
    return drawing(480, 250, palette, *marks)
