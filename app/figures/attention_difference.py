"""Attention difference: where one model looks more than another, word by word of the same translation."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import GAPS, NUMBERS_UP_TO, matrix, names_of_cells, plain
from regard.app.theme import around_zero
from regard.model.analysis.model_comparison import Contrast

LEAST = 10  # percentage points at the ends of the scale, at least: small differences stay pale


def difference(contrast: Contrast, first: str, second: str) -> go.Figure:
    """Draw the percentage points by which `first` looks more (orange) or less (blue) than `second`."""
    points = 100 * contrast.more
    reach = max(LEAST, int(np.ceil(np.abs(points).max())))
    cells = go.Heatmap(
        z=points,
        **around_zero(reach),
        text=[[signed(value) for value in row] for row in points],
        texttemplate="%{text}" if max(points.shape) <= NUMBERS_UP_TO else None,
        customdata=names_of_cells(contrast.rows, contrast.columns),
        hovertemplate="%{customdata[0]} at %{customdata[1]}: %{z:+.4f} points<extra></extra>",
        colorbar=_scale(reach, f"← {plain(second)} more · points · {plain(first)} more →"),
        **GAPS,
    )
    figure = matrix(cells, contrast.rows, contrast.columns, 210 + 34 * max(4, len(contrast.rows)))
    return figure.update_layout(margin={"t": 40, "b": 70})


def _scale(reach: int, title: str) -> dict[str, Any]:
    """Return the scale of colours, from −reach to +reach, below the figure."""
    place = {"orientation": "h", "y": 0, "yanchor": "top", "ypad": 14}
    ticks = {"tickvals": [-reach, 0, reach], "ticktext": [f"−{reach}", "0", f"+{reach}"], "ticklabeloverflow": "allow"}
    return {**place, **ticks, "title": {"text": title, "side": "bottom", "font": {"size": 12}}}


def largest(contrast: Contrast, first: str, second: str, languages: tuple[str, str]) -> str:
    """Describe the largest difference in a sentence, as HTML; `languages` are the codes of source and target."""
    row, column = contrast.largest
    points = 100 * float(contrast.more[row, column])
    if round(abs(points), 1) == 0:
        return f"{escape(first)} and {escape(second)} look alike: no weight differs by a tenth of a point."
    more, less = (first, second) if points > 0 else (second, first)
    return (
        f"For {_word(contrast.rows, row, languages[1])}, {escape(more)} gives {abs(points):.1f} points more weight to "
        f"{_word(contrast.columns, column, languages[0])} than {escape(less)} does."
    )


def _word(words: Sequence[str], place: int, language: str) -> str:
    """Return a word with its language; a repeated word also gets its number."""
    which = f" (word {place + 1})" if words.count(words[place]) > 1 else ""
    return f'<em lang="{escape(language)}">{escape(words[place])}</em>{which}'


def signed(points: float) -> str:
    """Format with one decimal and its sign; zero has no sign."""
    written = f"{abs(points):.1f}"
    return written if not float(written) else f"{'+' if points > 0 else '−'}{written}"
