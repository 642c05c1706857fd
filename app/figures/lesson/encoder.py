"""Diagrams of the lesson's beginning: one vector for a whole sentence, and an annotation for each token."""

from itertools import pairwise

from regard.app.figures.lesson.svg import Palette, Tone, arrow, drawing, label, line, vector, word

ENGLISH, FRENCH = ("I", "love", "you", "."), ("Je", "t'", "aime", ".")
PLACES = (75, 185, 295, 405)  # of four words side by side
CELLS = 6


def bottleneck(palette: Palette) -> str:
    """Draw all words running into one list of numbers, and out of it again."""
    middle = 240
    return drawing(
        480,
        250,
        palette,
        *(line(x, 45, middle, 94, palette.source.line) for x in PLACES),
        *(line(middle, 156, x, 206, palette.target.line) for x in PLACES),
        *(word(x, 30, text, palette.source, palette) for x, text in zip(PLACES, ENGLISH, strict=True)),
        *(word(x, 221, text, palette.target, palette) for x, text in zip(PLACES, FRENCH, strict=True)),
        *(vector(middle - 50 + 20 * place, 115, (palette.plain,), 20) for place in range(CELLS)),
        label(middle + 76, 130, "one list of numbers", palette.ink, "start"),
    )


def annotations(palette: Palette) -> str:
    """Draw two readings in opposite directions that leave two halves of a list above each word."""
    forwards, backwards = palette.source, Tone(palette.source.line, palette.plain.fill)
    halves = [forwards] * (CELLS // 2) + [backwards] * (CELLS // 2)
    gaps = list(pairwise(PLACES))
    return drawing(
        480,
        250,
        palette,
        *(word(x, 221, text, palette.source, palette) for x, text in zip(PLACES, ENGLISH, strict=True)),
        *(arrow(x, 203, x, 182, palette) for x in PLACES),
        *(vector(x, 52, halves, 20) for x in PLACES),
        *(arrow(left + 16, 82, right - 16, 82, palette) for left, right in gaps),
        *(arrow(right - 16, 142, left + 16, 142, palette) for left, right in gaps),
        label(PLACES[0] - 12, 28, "from the left", palette.quiet, "start", 14),
        arrow(154, 23, 190, 23, palette),
        label(PLACES[3] + 12, 28, "from the right", palette.quiet, "end", 14),
        arrow(318, 23, 282, 23, palette),
    )
