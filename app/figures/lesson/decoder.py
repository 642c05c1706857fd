"""Diagram of a decoder step as a row of the heatmap."""

from regard.app.figures.lesson.svg import Palette, box, drawing, label

LEFT, TOP, CELL = 190, 62, 42  # of the grid of weights
BEGIN = "<s>"
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
    for row, (made, fed) in enumerate(zip(FRENCH, (BEGIN, *FRENCH), strict=False)):
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
