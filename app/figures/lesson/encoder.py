"""Diagrams of the lesson's beginning: two vectors for a whole sentence, and an annotation for each token."""

from itertools import pairwise

from regard.app.figures.lesson.svg import Palette, Tone, arrow, drawing, label, line, vector, word

ENGLISH, FRENCH = ("I", "love", "you", "."), ("Je", "t'", "aime", ".")
PLACES = (75, 185, 295, 405)  # of four words side by side
CELLS = 6
LISTS, GIVEN = (98, 132), ("context c", "first state s₀")  # heights and names of the two lists


def bottleneck(palette: Palette) -> str:
    """Draw all words running into two lists of numbers, and out of them again."""
    middle = 240
    return drawing(
        480,
        250,
        palette,
        *(line(x, 45, middle, 88, palette.source.line) for x in PLACES),
        *(line(middle, 162, x, 206, palette.target.line) for x in PLACES),
        *(word(x, 30, text, palette.source, palette) for x, text in zip(PLACES, ENGLISH, strict=True)),
        *(word(x, 221, text, palette.target, palette) for x, text in zip(PLACES, FRENCH, strict=True)),
        *(vector(middle - 60 + 20 * place, y, (palette.plain,), 20) for place in range(CELLS) for y in LISTS),
        *(label(middle + 76, y + 15, name, palette.ink, "start") for y, name in zip(LISTS, GIVEN, strict=True)),
    )


def annotations(palette: Palette) -> str:
    """Draw two readings in opposite directions, which leave two halves of a list above each word."""
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
