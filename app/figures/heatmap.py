"""Cells of a matrix: a translation's weights and contexts, the ink of numbers, two models' difference, people's links.

The first row is on top, and axes use positions, because tokens repeat. A number in a cell is black or white, whichever
has the higher contrast with the cell (at least 4.5 : 1); Plotly's own inks, white and a dark grey, have as little as
2.5 : 1.
"""

import unicodedata
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray
from plotly.colors import hex_to_rgb

from regard.app.figures.table import LOOKS, PLACES
from regard.app.theme import CATEGORIES, LAYOUT, SIGNED, SIGNED_DARK, WEIGHTS, around_zero
from regard.model.alignment import Alignment, WordWeights, token_label
from regard.model.analysis.model_comparison import Contrast
from regard.model.trace import AnyTrace
from regard.model.words import END, told_apart

if TYPE_CHECKING:  # its module needs torch, the value does not
    from regard.model.word_alignment.from_attention import Compared

NUMBERS_UP_TO = 20  # rows or columns; beyond, numbers do not fit into the cells
UPRIGHT = 2  # characters of names that stand beside each other in any width
LONGEST_NAME = 60  # characters of a model's name
MOST_NAMED = 30  # steps with room for their token's name
GAPS = {"xgap": 1, "ygap": 1}
SHARES: dict[str, Any] = {"zmin": 0, "zmax": 100, "colorscale": WEIGHTS, **GAPS}  # cells in percent


def heatmap(alignment: Alignment, units: str, rows: str, what: str = "weight") -> go.Figure:
    """Draw weights in percent. `units` are "words" or "tokens", `rows` "output" or "input" (the word a row belongs to).
    `what` names the weights if they are not the attention's. The columns lie as the words of the source do."""
    if units == "words":
        shown = alignment.by_words(rows)
    else:
        labels = alignment.fed() if rows == "input" else alignment.target.tokens
        columns = tuple(map(token_label, alignment.source.tokens))
        shown = WordWeights(tuple(map(token_label, labels)), columns, alignment.weights, tuple(range(len(labels))))
    figure, letter = weight_matrix(shown, what), next(filter(str.isalpha, alignment.source.text), " ")
    from_the_right = unicodedata.bidirectional(letter) in ("R", "AL")
    return figure.update_xaxes(autorange="reversed") if from_the_right else figure


def of_trace(trace: AnyTrace) -> go.Figure:
    """Draw the weights of a trace between words."""
    return heatmap(trace.alignment, "words", "output")


def weight_matrix(shown: WordWeights, what: str = "weight") -> go.Figure:
    """Draw weights between any rows and columns, in percent."""
    verb = "looked at" if what == "weight" else f"{what} of"
    share = 100 * shown.weights
    cells = go.Heatmap(
        z=share,
        text=[[f"{value:.1f}" for value in row] for row in share],
        texttemplate="%{text}" if max(share.shape) <= NUMBERS_UP_TO else None,
        hovertemplate=f"%{{y}} {verb} %{{x}}: %{{z:.4f}}%<extra></extra>",
        colorbar={"title": {"text": what}, "ticksuffix": "%", "thickness": 12},
        **SHARES,
    )
    return matrix(cells, shown.rows, shown.columns, 140 + 34 * max(4, len(shown.rows)))


def matrix(cells: go.Heatmap, rows: Sequence[str], columns: Sequence[str], height: int) -> go.Figure:
    """Lay out cells with the names of their columns above them; the first row is on top."""
    return go.Figure(cells).update_layout(
        xaxis={"side": "top", **ticks(columns), "tickangle": 0 if max(map(len, columns)) <= UPRIGHT else None},
        yaxis={"autorange": "reversed", **ticks(rows)},
        height=height,
        margin=LAYOUT["margin"] | {"t": 20},  # for those who draw it themselves
    )


def ticks(labels: Sequence[str], longest: int = 24) -> dict[str, object]:
    """Use positions, not names, as the axis: the same word may occur twice."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": [plain(label, longest) for label in labels],
        "showgrid": False,
        "automargin": True,
    }


def plain(label: str, longest: int = 24) -> str:
    """Escape a label for Plotly: its few tags and entities, and `$…$` as mathematics, are switched off."""
    short = label if len(label) <= longest else label[: longest - 1] + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;") or " "


WHITE, BLACK = "#FFFFFF", "#000000"
SAVED = {"#FEFEFE": BLACK, "#010101": WHITE}  # inks of a dark page that a saved picture, which is light, exchanges
# By whether black is better on a light page, and on this one.
INKS = {(False, False): WHITE, (True, True): BLACK, (True, False): "#FEFEFE", (False, True): "#010101"}
TURNING = 0.179  # the luminance L at which both are as good: 1.05 / (L + 0.05) = (L + 0.05) / 0.05


def luminance(scale: Sequence[tuple[float, str]], shares: ndarray) -> ndarray:
    """Return the relative luminance (WCAG 2.2) of the colours at these shares of the way through a scale."""
    stops, names = zip(*scale, strict=True)
    channels = np.array([hex_to_rgb(name) for name in names]).T / 255
    colours = np.stack([np.interp(shares, stops, channel) for channel in channels], axis=-1)
    return np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)


def number_cells(figure: go.Figure, theme: str) -> None:
    """Write the texts of heatmaps that have no ink of their own in the better one, by a trace for each ink."""
    wanted = {"type": "heatmap", "texttemplate": "%{text}", "textfont.color": None}
    traces: list[Any] = [*figure.select_traces(wanted)]
    for drawn in traces:
        shares, text = (np.array(drawn.z, float) - drawn.zmin) / (drawn.zmax - drawn.zmin), np.array(drawn.text, str)
        scales = drawn.colorscale, SIGNED_DARK if theme == "dark" and drawn.colorscale == SIGNED else drawn.colorscale
        light, here = (luminance(scale, shares) > TURNING for scale in scales)
        blanks = np.char.multiply("\u2007", np.char.str_len(text))  # Plotly fits a trace's longest text into its cells
        same = {name: drawn[name] for name in ("x", "y", "z", "xaxis", "yaxis", "xgap", "ygap")}
        same |= {"texttemplate": "%{text}", "opacity": 0, "showscale": False, "hoverinfo": "skip", "meta": LOOKS}
        for best in sorted({*zip(light.ravel().tolist(), here.ravel().tolist(), strict=True)}):
            own = (light == best[0]) & (here == best[1])
            figure.add_heatmap(text=np.where(own, text, blanks), textfont={"color": INKS[best]}, **same)
        drawn.texttemplate = None


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
        hovertemplate="%{y} at %{x}: %{z:+.4f} points<extra></extra>",
        colorbar={
            "orientation": "h",
            "y": 0,
            "yanchor": "top",
            "ypad": 14,
            "tickvals": [-reach, 0, reach],
            "ticktext": [f"−{reach}", "0", f"+{reach}"],
            "title": {"text": f"← {plain(second)} more · points · {plain(first)} more →", "side": "bottom"},
        },
        **GAPS,
    )
    figure = matrix(cells, contrast.rows, contrast.columns, 210 + 34 * max(4, len(contrast.rows)))
    return figure.update_layout(margin={"t": 40, "b": 70})


def largest(contrast: Contrast, first: str, second: str, languages: tuple[str, str]) -> str:
    """Describe the largest difference in a sentence, as HTML; `languages` are the codes of source and target."""
    row, column = contrast.largest
    points = 100 * float(contrast.more[row, column])
    if round(abs(points), 1) == 0:
        return f"{escape(first)} and {escape(second)} look alike: no weight differs by a tenth of a point."
    more, less = (first, second) if points > 0 else (second, first)
    source, target = escape(told_apart(contrast.columns)[column]), escape(told_apart(contrast.rows)[row])
    return (
        f'For <em lang="{escape(languages[1])}">{target}</em>, {escape(more)} gives {abs(points):.1f} points more '
        f'weight to <em lang="{escape(languages[0])}">{source}</em> than {escape(less)} does.'
    )


def signed(points: float) -> str:
    """Format with one decimal and its sign; zero has no sign."""
    written = f"{abs(points):.1f}"
    return written if not float(written) else f"{'+' if points > 0 else '−'}{written}"


SMALLEST, LARGEST, ROOM = 24, 44, 640  # pixels: of a cell's side, and of the width a short sentence may fill
MARGINS = 180  # pixels for names, legend and scale
PEOPLE, MODEL, RIM = CATEGORIES[1], CATEGORIES[0], "#FFFFFF"


def link_map(compared: "Compared") -> go.Figure:
    """Draw weights in percent, target words down and source words across; squares, circles and diamonds are links. The
    figure has a width of its own: a long sentence is scrolled, not squeezed."""
    columns, rows, gold = (*compared.source, END), compared.target, compared.gold
    side = min(LARGEST, max(SMALLEST, ROOM // len(columns)))
    shown = WordWeights(rows, columns, compared.weights, tuple(range(len(rows))))
    figure = weight_matrix(shown, "weight" if compared.what == "attention" else "posterior")
    figure.update_traces(texttemplate=None, colorbar={"lenmode": "pixels", "len": 160})
    kinds = (("sure link", gold.sure, "square-open"), ("possible link", gold.possible - gold.sure, "circle-open"))
    for name, links, symbol in kinds:
        for colour, width, meta in ((RIM, 5, LOOKS), (PEOPLE, 2.5, PLACES)):  # a white rim stands out from every weight
            marker = {"symbol": symbol, "size": 0.7 * side, "color": colour, "line": {"width": width}}
            _marks(figure, name, links, marker, meta)
    inside = {"symbol": "diamond", "size": 0.34 * side, "color": MODEL, "line": {"width": 1.5, "color": RIM}}
    _marks(figure, "the model's link", compared.proposed, inside)
    return figure.update_layout(
        xaxis={"tickangle": -60, "range": [-0.5, len(columns) - 0.5], "zeroline": False},
        yaxis={"autorange": False, "range": [len(rows) - 0.5, -0.5], "zeroline": False},
        legend={"orientation": "h", "y": 0, "yanchor": "top"},
        width=MARGINS + side * len(columns),
        height=MARGINS + side * max(4, len(rows)),
    )


def _marks(
    figure: go.Figure, name: str, links: frozenset[tuple[int, int]], marker: dict[str, Any], meta: str = PLACES
) -> None:
    source, target = zip(*sorted(links), strict=True) if links else ((), ())
    shown = meta == PLACES  # in the legend
    figure.add_scatter(
        x=source, y=target, name=name, mode="markers", marker=marker, hoverinfo="skip", showlegend=shown, meta=meta
    )


def contexts(trace: AnyTrace, scale: float) -> go.Figure:
    """Draw the context of each step as a row of colours; `scale` is the number with full colour. Rows are steps from 1,
    named by their tokens; a repeated token also gets its step."""
    names = [
        plain(token_label(token), 12) + (f" ({step})" if trace.target.count(token) > 1 else "")
        for step, token in enumerate(trace.target, start=1)
    ]
    every, (rows, columns) = 1 + len(names) // MOST_NAMED, trace.attention_output.shape
    steps = list(range(1, 1 + rows))
    figure = go.Figure().add_heatmap(
        z=trace.attention_output,
        x=list(range(1, 1 + columns)),
        y=steps,
        **around_zero(scale),
        hovertemplate="step %{y}, component %{x}: %{z:.4f}<extra></extra>",
    )
    return figure.update_layout(
        height=420,
        xaxis={"title": {"text": "component of the context"}, "showgrid": False},
        yaxis={"autorange": "reversed", "tickfont": {"size": 11}, "showgrid": False, "automargin": True}
        | {"tickvals": steps[::every], "ticktext": names[::every]},
    )


def full_colour(traces: Sequence[AnyTrace]) -> float:
    """Return a scale for several figures of contexts: 99% of their numbers are nearer to 0."""
    return float(np.quantile(np.concatenate([np.abs(trace.attention_output).ravel() for trace in traces]), 0.99))


def largest_change(contexts: Float[ndarray, "T E"]) -> float:
    """Return the range of the context component that varies most over the steps of a translation."""
    return float(np.ptp(contexts, axis=0).max())


def encodings(table: Float[ndarray, "T D"]) -> go.Figure:
    """Draw the encodings of positions, a row for each. Vaswani et al. (2017), section 3.5."""
    figure = go.Figure().add_heatmap(
        z=table,
        **around_zero(1),
        hovertemplate="position %{y}, component %{x}: %{z:.3f}<extra></extra>",
    )
    return figure.update_layout(
        height=360,
        xaxis={"title": {"text": "component"}, "showgrid": False},
        yaxis={"title": {"text": "position"}, "autorange": "reversed", "showgrid": False},
    )
