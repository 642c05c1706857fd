"""The few marks of the lesson's diagrams, as SVG, in the colours of the page around them.

Blue belongs to the source, vermilion to the target, in every diagram. A diagram is a function of a palette.
"""

from html import escape
from typing import NamedTuple

from regard.app.theme import FONT


class Tone(NamedTuple):
    line: str
    fill: str


class Palette(NamedTuple):
    """Colours: words are in `ink`, marks between them in `quiet`."""

    ink: str
    quiet: str
    source: Tone
    target: Tone
    plain: Tone


PALETTES = {
    "light": Palette(
        ink="#17202A",
        quiet="#5B6570",
        source=Tone("#0072B2", "#D8EAF5"),
        target=Tone("#D55E00", "#FBE4D3"),
        plain=Tone("#6B7683", "#F1F4F8"),
    ),
    "dark": Palette(
        ink="#E9EDF2",
        quiet="#A9B4C0",
        source=Tone("#5DB0E6", "#173A52"),
        target=Tone("#F28C4B", "#55301A"),
        plain=Tone("#8D99A6", "#1D242E"),
    ),
}
HEAD = 7  # pixels of an arrow's head


def drawing(width: int, height: int, palette: Palette, *marks: str) -> str:
    """Return the marks as one picture, each drawn over those before it."""
    head = (
        f'<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="{HEAD}" markerHeight="{HEAD}" '
        f'orient="auto-start-reverse" markerUnits="userSpaceOnUse"><path d="M0 0L10 5L0 10z" fill="{palette.quiet}"/>'
        "</marker>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{FONT}" font-size="15"><defs>{head}</defs>{"".join(marks)}</svg>'
    )


def box(x: float, y: float, width: float, height: float, tone: Tone, more: str = "") -> str:
    """Return a rectangle; x and y are its upper left corner, `more` its other attributes."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{tone.fill}" stroke="{tone.line}" {more}/>'


def word(x: float, y: float, text: str, tone: Tone, palette: Palette, width: float = 62) -> str:
    """Return a word in a box; x and y are its middle."""
    return box(x - width / 2, y - 15, width, 30, tone, 'rx="7" stroke-width="1.5"') + label(x, y + 5, text, palette.ink)


def label(x: float, y: float, text: str, colour: str, anchor: str = "middle", size: float = 15) -> str:
    """Return words without a box; an underscore begins a subscript, so that `s_t` is s with the index t."""
    base, _, index = text.partition("_")
    lowered = f'<tspan dy="4" font-size="{0.72 * size:.1f}">{escape(index)}</tspan>' if index else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
        f"{escape(base)}{lowered}</text>"
    )


def arrow(x: float, y: float, to_x: float, to_y: float, palette: Palette, width: float = 1.5) -> str:
    return (
        f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="{palette.quiet}" stroke-width="{width}" '
        'marker-end="url(#head)"/>'
    )


def step(x: float, y: float, text: str, palette: Palette, width: float = 70) -> str:
    """Return a computation as a rounded box; x and y are its middle."""
    drawn = box(x - width / 2, y - 14, width, 28, palette.plain, 'rx="14" stroke-width="1.2"')
    return drawn + label(x, y + 5, text, palette.ink, size=14)
