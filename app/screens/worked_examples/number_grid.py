"""A grid of numbers as HTML, coloured by weight, with some cells outlined."""

from collections.abc import Collection, Sequence
from html import escape
from typing import NamedTuple

import streamlit as st

NAME = 18  # least characters of a row's name before it is broken


class GridRow(NamedTuple):
    """A row of the grid: its name, the text of its cells, and the colour strength of each, from 0 to 1."""

    name: str
    cells: Sequence[str]
    shares: Sequence[float]
    outlined: Collection[int] = ()  # places of cells
    ruled: bool = False  # set off from the lines above, as a result is


def weighed(caption: str, columns: Sequence[str], rows: Sequence[GridRow]) -> None:
    """Draw it with a caption; it scrolls where the page is narrower."""
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    lines = "".join(_line(row) for row in rows)
    name = min(NAME, max(len(row.name) for row in rows))
    caption = escape(caption)
    st.html(
        f'<div class="weighed" role="region" tabindex="0" aria-label="{caption}"><table style="--name: {name}ch">'
        f"<caption>{caption}</caption><thead><tr><td></td>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _line(row: GridRow) -> str:
    cells = "".join(
        f'<td style="--share: {share:.3f}"{" class=outlined" * (place in row.outlined)}>{escape(text)}</td>'
        for place, (text, share) in enumerate(zip(row.cells, row.shares, strict=True))
    )
    return f'<tr{" class=ruled" * row.ruled}><th scope="row">{escape(row.name)}</th>{cells}</tr>'
