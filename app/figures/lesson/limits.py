"""Diagrams of the lesson's end: what the weights leave out, and who asks whom in a Transformer."""

from app.figures.lesson.svg import Palette, arrow, drawing, label, line, step, word

WORDS = ("I", "love", "you")


def limits(palette: Palette) -> str:
    """Three ways lead to a word, and the weights show one of them."""
    marks = [
        word(410, 125, "aime", palette.target, palette, 84),
        label(410, 165, "the word written", palette.quiet, size=14),
    ]
    for y, name, more, width in (
        (45, "weights", "where it looked", 3.5),
        (125, "state", "what it remembers", 1.5),
        (205, "annotations", "what each token knows of the others", 1.5),
    ):
        marks += [
            step(82, y, name, palette, 110),
            label(28, y + 34, more, palette.quiet, "start", 13),
            arrow(140, y, 362, 125 + 0.12 * (y - 125), palette, width),
        ]
    return drawing(480, 250, palette, *marks)


def transformer(palette: Palette) -> str:
    """Target words ask source words; in self-attention the words of one sentence ask each other."""
    ys = (75, 130, 185)
    marks = [
        label(110, 28, "attention so far", palette.ink, size=16),
        label(365, 28, "self-attention", palette.ink, size=16),
        line(240, 20, 240, 230, palette.plain.line, 1),
        label(110, 232, "one word asks a sentence", palette.quiet, size=14),
        label(365, 232, "all words ask all words", palette.quiet, size=14),
        *(line(92, 130, 146, y, palette.quiet) for y in ys),
        word(58, 130, "aime", palette.target, palette),
        *(word(178, y, text, palette.source, palette) for y, text in zip(ys, WORDS, strict=True)),
        *(line(327, asking, 400, asked, palette.quiet) for asking in ys for asked in ys),
        *(word(295, y, text, palette.source, palette) for y, text in zip(ys, WORDS, strict=True)),
        *(word(432, y, text, palette.source, palette) for y, text in zip(ys, WORDS, strict=True)),
    ]
    return drawing(480, 250, palette, *marks)
