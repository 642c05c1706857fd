"""Diagrams of what the decoder does with what it found: a word to write, and a row of the heatmap."""

from app.figures.lesson.encoder import ENGLISH, FRENCH
from app.figures.lesson.svg import Palette, Tone, arrow, drawing, label, line, step, vector, word

LEFT, TOP, CELL = 190, 62, 42  # of the grid of weights
BEGIN = "<s>"


def output(palette: Palette) -> str:
    """State and context, side by side, become one list, and that a probability for every token."""
    marks = [
        vector(50, 30, [palette.target] * 5, 16),
        vector(50, 130, [palette.source] * 5, 16),
        label(50, 22, "state s_t", palette.ink, size=14),
        label(50, 232, "context c_t", palette.ink, size=14),
        arrow(70, 70, 108, 108, palette),
        arrow(70, 170, 108, 138, palette),
        step(148, 123, "tanh", palette, 84),
        arrow(192, 123, 214, 123, palette),
        vector(230, 83, [palette.target] * 5, 16),
        label(230, 74, "h̃_t", palette.ink),
        arrow(246, 123, 270, 123, palette),
        step(318, 123, "softmax", palette, 92),
        arrow(366, 123, 392, 123, palette),
    ]
    marks += [word(436, y, text, palette.target, palette, 70) for y, text in ((75, "t'"), (123, "l'"), (171, "les"))]
    return drawing(480, 250, palette, *marks, label(436, 210, "…", palette.ink))


def rows(palette: Palette) -> str:
    """A grid with a row for each step, named by the word produced on one side and by the word fed in on the other."""
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
            *(_cell(row, column, palette.plain) for column in range(last)),
            label(LEFT - 12, y, made, palette.ink, "end"),
            label(LEFT + CELL * last + 12, y, fed, palette.ink, "start"),
        ]
    y = TOP + CELL * chosen
    marks.append(
        f'<rect x="{LEFT}" y="{y}" width="{CELL * last}" height="{CELL}" fill="{palette.target.fill}" '
        f'stroke="{palette.target.line}" stroke-width="2.5"/>'
    )
    marks.append(label(LEFT + CELL * last / 2, y + CELL / 2 + 5, "one step: one row", palette.ink))
    return drawing(480, 250, palette, *marks)


def _cell(row: int, column: int, tone: Tone) -> str:
    return (
        f'<rect x="{LEFT + CELL * column}" y="{TOP + CELL * row}" width="{CELL}" height="{CELL}" fill="{tone.fill}" '
        f'stroke="{tone.line}"/>'
    )


def wirings(palette: Palette) -> str:
    """Who asks, and where the context goes, in the two papers."""
    marks = [line(240, 20, 240, 230, palette.plain.line, 1)]
    for left, title, asking, following, last in (
        (0, "Bahdanau 2015", "s_t−1", "s_t", "next word"),
        (240, "Luong 2015", "s_t", "h̃_t", "next word"),
    ):
        middle = left + 120
        marks += [
            label(middle, 28, title, palette.ink, size=16),
            step(middle - 58, 75, asking, palette, 64),
            arrow(middle - 24, 75, middle + 18, 75, palette),
            label(middle - 3, 65, "asks", palette.quiet, size=13),
            word(middle + 58, 75, "attention", palette.source, palette, 78),
            arrow(middle + 58, 91, middle + 58, 120, palette),
            step(middle + 58, 136, "c_t", palette, 64),
            arrow(middle - 58, 90, middle - 58, 172, palette),
            arrow(middle + 24, 142, middle - 20, 176, palette),
            step(middle - 58, 188, following, palette, 64),
            arrow(middle - 24, 188, middle + 14, 188, palette),
            word(middle + 58, 188, last, palette.target, palette, 84),
        ]
    marks.append(arrow(178, 150, 178, 172, palette))  # Bahdanau's context joins the state at the output too
    return drawing(480, 240, palette, *marks)
