"""A search for weights that make a step write another token: the weights found, their effect, and the search's path."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.figures.token_bars import LONGEST_LABEL, MARK, OUTSIDE, WHOLE, token_bars
from regard.app.figures.token_sampling import small_percent
from regard.app.figures.training import two_rows
from regard.app.theme import CATEGORIES, LEGEND_AT_TOP
from regard.model.alignment import token_label
from regard.model.arithmetic.quantity import source_text
from regard.model.trace import AnyTrace

if TYPE_CHECKING:  # its module needs torch, its values do not
    from regard.model.analysis.attention_search import AttentionSearch, Chance, Outcome

OWN, FOUND, NEAREST, LOWEST = "the model's own", "found", "nearest", "lowest objective"
BEFORE, AFTER = CATEGORIES[-1], CATEGORIES[1]
SMALLEST_SHARE = 1e-6  # the smallest share whose digits mean something
NAMES, CORNERS = 118, 176  # pixels for the names of tokens, and of pairs of tokens
GROUP, ROW = 44, 27  # pixels of a token with two bars, and with one
TOP, BOTTOM, LEGEND = 30, 8, 48
FULL = 150  # percent at the right edge: leaves room for probability and rank after a full bar


def share(probability: float) -> str:
    """Format a percentage with the digits that a small one needs."""
    return small_percent(probability) if probability >= SMALLEST_SHARE else f"below {small_percent(SMALLEST_SHARE)}"


def best_name(asked: "AttentionSearch") -> str:
    """Return what the best weights are called: found, or nearest if none makes the model write the token."""
    return FOUND if asked.first else NEAREST


def first_place(asked: "AttentionSearch", outcome: "Outcome") -> str:
    """Say that the token written with these weights stays first, or comes first if it is not the model's own."""
    return f"{'stays' if outcome.written == asked.own.written else 'comes'} first"


def weights_found(trace: AnyTrace, asked: "AttentionSearch") -> go.Figure:
    """Draw the model's own weights above the best that were found, in percent over the source tokens. A third row has
    those with the lowest objective, if they differ; they do not produce the token."""
    rows = {OWN: asked.own.weights, best_name(asked): asked.best.weights}
    if asked.first and asked.first.weights.tolist() != asked.found.weights.tolist():
        rows[LOWEST] = asked.found.weights
    about = {
        OWN: f": write “{_label(asked.own.written)}”",
        best_name(asked): f": {'write' if asked.first else 'come nearest to'} “{_label(asked.text)}”",
        LOWEST: f": “{_label(asked.found.written)}” {first_place(asked, asked.found)}",
    }
    return token_bars(trace.source, rows, about)


def shifts(asked: "AttentionSearch") -> go.Figure:
    """Draw the likeliest tokens with the model's own weights and with the best ones, with ranks; a bar for each. The
    wanted token has a mark."""
    figure = go.Figure()
    for name, colour, chances in (
        (OWN, BEFORE, [shift.before for shift in asked.shifts]),
        (best_name(asked), AFTER, [shift.after for shift in asked.shifts]),
    ):
        _add_bars(figure, name, chances, colour)
    names = [(MARK if shift.token == asked.token else "") + _label(shift.text) for shift in asked.shifts]
    _lay_out_rows(figure, names, NAMES, GROUP, TOP + LEGEND)
    return figure.update_layout(showlegend=True, legend=LEGEND_AT_TOP)


def corners(trace: AnyTrace, asked: "AttentionSearch") -> go.Figure:
    """Draw the output with all weight on one source token, and the probability of the wanted token."""
    figure, chances = go.Figure(), [outcome.wanted for _, outcome in asked.corners]
    colours = [AFTER if chance.rank == 1 else BEFORE for chance in chances]
    _add_bars(figure, f"probability of “{_label(asked.text)}”", chances, colours)
    names = [
        f"{plain(source_text(trace, position), LONGEST_LABEL)} → {_label(outcome.written)}"
        for position, outcome in asked.corners
    ]
    return _lay_out_rows(figure, names, CORNERS, ROW, TOP)


def _add_bars(figure: go.Figure, name: str, chances: Sequence["Chance"], colour: str | list[str]) -> None:
    figure.add_bar(
        x=[100 * chance.probability for chance in chances],
        y=list(range(len(chances))),
        name=name,
        orientation="h",
        marker={"color": colour},
        text=[f"{share(chance.probability)} · #{chance.rank:,}" for chance in chances],
        hovertemplate="%{y}: %{text}<extra>%{fullData.name}</extra>",
    )


def _label(token: str) -> str:
    return plain(token_label(token), LONGEST_LABEL)


def _lay_out_rows(figure: go.Figure, names: list[str], left: int, row: int, top: int) -> go.Figure:
    """Lay out bars from left to right, a row for each name."""
    figure.update_traces(OUTSIDE)
    return figure.update_layout(
        xaxis={"range": [0, FULL], **WHOLE, "side": "top"},
        yaxis={
            "range": [len(names) - 0.5, -0.5],
            "tickvals": list(range(len(names))),
            "ticktext": names,
            "showgrid": False,
        },
        height=top + row * len(names) + BOTTOM,
        margin={"l": left, "r": 24, "t": top, "b": BOTTOM, "autoexpand": False},
        bargap=0.3,
        barmode="group",
        showlegend=False,
    )


COST = CATEGORIES[0]
FEW = 2  # powers of ten between whose marks others are needed
TICKS = 4  # about this many powers of ten are marked; below 10 to its negative, they are written as powers


def descent(asked: "AttentionSearch") -> go.Figure:
    """Draw the probability of the wanted token and of the model's own above, the cost in nats below. A line marks the
    iteration whose weights were taken."""
    figure = two_rows("probability in percent, logarithmic", "cost, KL in nats", "iteration", 0.16)
    path, wanted, own = asked.path, _quoted(asked.text), _quoted(asked.own.written)
    lines = [(wanted, 100 * path.wanted, AFTER, 1, "%")]
    if asked.own.written != asked.text:
        lines.append((own, 100 * path.likeliest, BEFORE, 1, "%"))
    lines.append(("cost", path.cost, COST, 2, " nats"))
    for name, values, colour, row, unit in lines:
        figure.add_scatter(
            x=list(range(1, len(values) + 1)),
            y=values.tolist(),
            name=name,
            mode="lines",
            line={"color": colour, "width": 2.5, "dash": "dash" if colour == BEFORE else "solid"},
            showlegend=row == 1,
            hovertemplate=f"iteration %{{x}}: %{{y:.4f}}{unit}<extra>%{{fullData.name}}</extra>",
            row=row,
            col=1,
        )
    figure.add_vline(x=path.taken + 1, line={"color": "#888888", "width": 1.5, "dash": "dot"})
    figure.update_yaxes(_powers([path.wanted, path.likeliest]), row=1, col=1)
    figure.update_yaxes(rangemode="tozero", row=2, col=1)
    return figure.update_layout(height=400, margin={"l": 76, "r": 24, "t": 72, "b": 48}, legend={"y": 1.12})


def _powers(chances: Sequence[Float[ndarray, " N"]]) -> dict[str, Any]:
    """Return an axis of percent with a few powers of ten, and with their multiples by 2 and 5 if these are few."""
    seen = [float(chance) for row in chances for chance in row if chance > 0]
    lowest, highest = floor(log10(100 * min(seen))), ceil(log10(100 * max(seen)))
    powers = range(highest, lowest - 1, -max(1, ceil((highest - lowest) / TICKS)))
    multiples = (1, 2, 5) if highest - lowest <= FEW else (1,)
    ticks = [(multiple * 10.0**power, power) for power in powers for multiple in multiples]
    texts = [f"{value:g}%" if power > -TICKS else f"10<sup>−{-power}</sup>%" for value, power in ticks]
    return {"type": "log", "tickvals": [value for value, _ in ticks], "ticktext": texts}


def _quoted(token: str) -> str:
    return f"“{plain(token_label(token))}”"
