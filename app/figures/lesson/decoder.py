"""Diagrams of a decoder step: as a row of the heatmap, and as two papers wire it."""

from regard.app.figures.lesson.svg import Palette, Tone, arrow, drawing, label, line, step, word

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
    """Draw the inputs of a step, the state that asks, and the use of the context, in the two papers."""
    return drawing(
        480, 250, palette, line(240, 14, 240, 240, palette.plain.line, 1), *_bahdanau(palette), *_luong(palette)
    )


def _bahdanau(palette: Palette) -> list[str]:
    """Draw Bahdanau's step: the previous state asks, and the cell reads the word and the context."""
    return [
        label(120, 24, "Bahdanau 2015", palette.ink, size=16),
        step(46, 72, "s_t−1", palette, 60),
        arrow(78, 72, 130, 72, palette),
        label(102, 63, "asks", palette.quiet, size=13),
        word(174, 72, "attention", palette.source, palette, 82),
        arrow(174, 88, 174, 120, palette),
        step(174, 136, "c_t", palette, 60),
        arrow(54, 87, 96, 186, palette),
        word(34, 202, "y_t−1", palette.target, palette, 54),
        arrow(63, 202, 76, 202, palette),
        arrow(154, 148, 124, 186, palette),
        step(108, 202, "s_t", palette, 60),
        arrow(140, 202, 162, 202, palette),
        arrow(184, 151, 196, 186, palette),  # the context joins the state at the output too
        word(198, 202, "word", palette.target, palette, 62),
    ]


def _luong(palette: Palette) -> list[str]:
    """Draw Luong's step: the cell reads the word alone, and its new state asks."""
    return [
        label(360, 24, "Luong 2015", palette.ink, size=16),
        word(278, 72, "y_t−1", palette.target, palette, 54),
        arrow(307, 72, 320, 72, palette),
        step(286, 136, "s_t−1", palette, 60),
        arrow(306, 122, 336, 88, palette),
        step(350, 72, "s_t", palette, 54),
        arrow(379, 72, 400, 72, palette),
        label(388, 52, "asks", palette.quiet, size=13),
        word(440, 72, "attention", palette.source, palette, 74),
        arrow(440, 88, 440, 120, palette),
        step(440, 136, "c_t", palette, 60),
        arrow(350, 87, 350, 186, palette),
        arrow(418, 147, 370, 187, palette),
        step(350, 202, "h̃_t", palette, 60),
        arrow(382, 202, 402, 202, palette),
        word(438, 202, "word", palette.target, palette, 62),
    ]
