"""Diagrams of what the weights leave out: the ways from the source to a word."""

from regard.app.figures.lesson.svg import Palette, arrow, drawing, label, step, word

TOP, BOTTOM = 62, 188  # of the way from the source, and of that from what is written


def ways(palette: Palette) -> str:
    """Draw the ways to a word if the state never sees the source: attention alone leads from it to the word."""
    return _drawn(palette, label(212, BOTTOM + 38, "made of these words alone", palette.quiet, size=13))


def ways_from_looks(palette: Palette) -> str:
    """Draw the ways to a word if the state also remembers what attention found before."""
    line = arrow(300, TOP + 16, 208, BOTTOM - 16, palette, 2.5)
    return _drawn(palette, line, label(246, 128, "found earlier", palette.ink, "end", 13))


def ways_from_start(palette: Palette) -> str:
    """Draw the ways to a word if the state also begins from the encoder's last states."""
    line = arrow(192, TOP + 16, 192, BOTTOM - 16, palette, 2.5)
    return _drawn(palette, line, label(182, 128, "where it begins", palette.ink, "end", 13))


def _drawn(palette: Palette, *marks: str) -> str:
    """Draw the way from the source through annotations and attention, that from the written words through the state,
    and these marks."""
    return drawing(
        480,
        250,
        palette,
        label(58, TOP - 32, "source", palette.quiet, size=14),
        word(58, TOP, "I love you", palette.source, palette, 96),
        arrow(108, TOP, 136, TOP, palette),
        step(192, TOP, "annotations", palette, 108),
        arrow(248, TOP, 276, TOP, palette, 3.5),
        step(322, TOP, "attention", palette, 88),
        arrow(350, TOP + 18, 408, 105, palette, 3.5),
        label(58, BOTTOM - 32, "written so far", palette.quiet, size=14),
        word(58, BOTTOM, "Je t'", palette.target, palette, 96),
        arrow(108, BOTTOM, 152, BOTTOM, palette),
        step(192, BOTTOM, "state", palette, 76),
        arrow(232, BOTTOM, 392, 144, palette),
        arrow(222, BOTTOM - 16, 316, TOP + 18, palette),
        label(296, 128, "asks", palette.quiet, "start", 13),
        word(430, 125, "aime", palette.target, palette, 72),
        *marks,
    )
