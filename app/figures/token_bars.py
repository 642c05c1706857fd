"""Bars over tokens, in rows of one scale: the weights of a step, weights put in their place, measures of importance.

Its rows are `token_bars`. A counterfactual has other weights than the model's own.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray
from plotly.subplots import make_subplots

from regard.app.figures.heatmap import SHARES, plain, ticks
from regard.app.theme import CATEGORIES
from regard.app.wording import MEAN
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace

if TYPE_CHECKING:  # its module needs torch, its values do not
    from regard.model.analysis.faithfulness import Counterfactual

ROW, TITLE = 119, 34  # pixels of a row, and of the space above it for its title
TOP, LEFT, RIGHT = 34, 52, 24  # margins in pixels
LEVEL, TURNED = 34, 104  # the margin below, with the labels of the source tokens in it
ALWAYS_LEVEL = 6  # up to this many source tokens; the labels of more are turned where there is no room
LONGEST_LABEL = 12
WHOLE: dict[str, Any] = {"tickvals": [0, 50, 100], "ticktext": ["0", "50%", "100%"]}  # an axis of percent
# The number above a bar, upright and whole.
OUTSIDE: dict[str, Any] = {"textposition": "outside", "textangle": 0, "constraintext": "none", "cliponaxis": False}
FULL = 125  # percent at the top of a row: leaves room for a number above a full bar


def token_bars(source: Sequence[str], rows: Mapping[str, Float[ndarray, " S"]], about: Mapping[str, str]) -> go.Figure:
    """Draw shares of 1 over the source tokens, in percent; unmeasured values (NaN) have no bar. `about` has the text
    after a row's title, for the rows that have one."""
    labels = [plain(token_label(token), LONGEST_LABEL) for token in source]
    figure = _stacked([f"<b>{name}</b>{about.get(name, '')}" for name in rows], len(labels), LEFT)
    for row, (name, shares) in enumerate(rows.items(), start=1):
        greatest = int(np.nan_to_num(shares).argmax())
        texts = ["%{y:.1f}%" if place == greatest else "" for place in range(len(labels))]
        style = {"marker": {"color": CATEGORIES[0]}, "texttemplate": texts, "textfont": {"size": 12}}
        _add_row(figure, row, name, 100 * shares, labels, style)
    tokens = {"tickvals": list(range(len(labels))), "ticktext": labels, "autotickangles": [0, -90]}
    return figure.update_xaxes(tokens, range=[-0.5, len(labels) - 0.5]).update_yaxes(WHOLE, range=[0, FULL])


def _add_row(
    figure: go.Figure, row: int, name: str, percent: Sequence[float] | ndarray, labels: Sequence[str], style: Any
) -> None:
    """Add the bars of a row at numbered places: upright, unless their style says "h"."""
    places, upright = list(range(len(labels))), style.get("orientation") != "h"
    figure.add_bar(
        x=places if upright else percent,
        y=percent if upright else places,
        name=name,
        customdata=labels,
        hovertemplate=f"%{{customdata}}: %{{{'y' if upright else 'x'}:.4f}}%<extra>%{{fullData.name}}</extra>",
        **OUTSIDE,
        **style,
        row=row,
        col=1,
    )


def _stacked(titles: Sequence[str], tokens: int, left: int) -> go.Figure:
    """Return an empty figure with a row below each title. Figures with as many rows and source tokens align."""
    rows, below = len(titles), TURNED if tokens > ALWAYS_LEVEL else LEVEL
    figure = make_subplots(rows, 1, shared_xaxes=True, vertical_spacing=TITLE / (ROW * rows), subplot_titles=titles)
    figure.update_annotations(x=0, xanchor="left", xshift=-left, font={"size": 13})
    return figure.update_layout(
        height=TOP + ROW * rows + below,
        margin={"l": left, "r": RIGHT, "t": TOP, "b": below, "autoexpand": False},
        bargap=0.25,
        showlegend=False,
        barmode="overlay",
    )


ABOUT = {
    MEAN: ": every head alike",
    "uniform": ": every token alike",
    "permuted": ": the same in another order",
    "only the maximum": ": all on the heaviest token",
    "all but the maximum": ": nothing on the heaviest",
    "last position": ": all on the end",
}
SHOWN_TOKENS = 5  # tokens of a distribution
NAMES_WIDTH = 112  # pixels for their names
LONGEST_NAME = 13
MARK = "▸ "  # before the token of the trace
PRODUCED, OTHERS = CATEGORIES[1], CATEGORIES[-1]


def exchanged_weights(trace: AnyTrace, variants: Sequence["Counterfactual"], step: int) -> go.Figure:
    """Draw the weights of each variant at a step, the model's own first."""
    return token_bars(trace.source, {variant.kind: variant.weights[step] for variant in variants}, ABOUT)


def distributions(trace: AnyTrace, variants: Sequence["Counterfactual"], step: int) -> go.Figure:
    """Draw the likeliest next tokens of each variant at a step (from 0), the model's own first. The token of the trace
    is always shown, with a mark and a colour of its own; the last of the others gives way to it."""
    titles = [
        f"<b>{variants[0].kind}</b>",
        *(f"<b>{one.kind}</b> {plain(outcome(one, step), 40)}" for one in variants[1:]),
    ]
    figure, own = _stacked(titles, len(trace.source), NAMES_WIDTH), int(trace.target_ids[step])
    for row, variant in enumerate(variants, start=1):
        ids, texts = variant.top_ids[step].tolist()[:SHOWN_TOKENS], list(variant.top_tokens[step][:SHOWN_TOKENS])
        shares = (100 * variant.top_probabilities[step][:SHOWN_TOKENS]).tolist()
        if own not in ids:
            ids[-1], texts[-1], shares[-1] = own, trace.target[step], 100 * float(variant.probabilities[step])
        labels = [plain(token_label(text), LONGEST_NAME) for text in texts]
        marked = [f"{MARK}{label}" if each == own else label for label, each in zip(labels, ids, strict=True)]
        colours = [PRODUCED if each == own else OTHERS for each in ids]
        bars = {"orientation": "h", "marker": {"color": colours}, "texttemplate": "%{x:.1f}%"}
        _add_row(figure, row, variant.kind, shares, labels, bars)
        names = {"tickvals": list(range(len(ids))), "ticktext": marked}
        figure.update_yaxes(names, autorange="reversed", showgrid=False, row=row, col=1)
    return figure.update_xaxes(WHOLE, range=[0, FULL])


def outcome(variant: "Counterfactual", step: int) -> str:
    """Say if greedy decoding would choose the same token as with the model's own weights, or which other."""
    return "= same token" if variant.stays[step] else f"≠ another token, “{chosen_token(variant, step)}”"


def chosen_token(variant: "Counterfactual", step: int) -> str:
    """Return the token that greedy decoding chooses."""
    place = variant.top_ids[step].tolist().index(variant.best_ids[step])
    return token_label(variant.top_tokens[step][place])


IMPORTANCE = {"weight": "weight", "gradient_by_input": "gradient × input", "leave_one_out": "leaving one out"}
ABOUT_IMPORTANCE = {
    IMPORTANCE["weight"]: ": share of the step",
    IMPORTANCE["gradient_by_input"]: ": share of the step",
    IMPORTANCE["leave_one_out"]: ": distance, 0 to 100%",
}
Measures = Mapping[str, Float[ndarray, "T S"]]
BETWEEN, CELLS = 122, 24  # pixels: for the tokens below a matrix and the title of the next; of a row


def importance_bars(trace: AnyTrace, measures: Measures, step: int) -> go.Figure:
    """Draw each measure of a step (from 0) over the source tokens, as shares of 1 in percent."""
    return token_bars(
        trace.source, {IMPORTANCE[kind]: values[step] for kind, values in measures.items()}, ABOUT_IMPORTANCE
    )


def importance_heatmaps(trace: AnyTrace, measures: Measures) -> go.Figure:
    """Draw the measures of all steps: one matrix below the other, a row per step; unmeasured cells (NaN) are blank."""
    height = (BETWEEN + CELLS * len(trace.target)) * len(measures)
    titles = [f"<b>{IMPORTANCE[kind]}</b>" for kind in measures]
    figure = make_subplots(len(measures), 1, vertical_spacing=BETWEEN / height, subplot_titles=titles)
    for row, (kind, values) in enumerate(measures.items(), start=1):
        figure.add_heatmap(
            z=100 * values,
            name=IMPORTANCE[kind],
            colorbar={"ticksuffix": "%"},
            showscale=row == 1,
            hovertemplate="%{y}, %{x}: %{z:.4f}%<extra>%{fullData.name}</extra>",
            **SHARES,
            row=row,
            col=1,
        )
    sides = ([token_label(token) for token in side] for side in (trace.source, trace.target))
    columns, rows = (ticks(labels, LONGEST_LABEL) for labels in sides)
    figure.update_xaxes(columns | {"autotickangles": [0, -90]}).update_yaxes(rows | {"autorange": "reversed"})
    return figure.update_layout(height=height + BETWEEN)
