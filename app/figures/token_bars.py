"""Bars over tokens, in rows of one scale: the weights of a step, weights put in their place, measures of importance.

Its rows are `token_bars`. A counterfactual has other weights than the model's own; which tokens it keeps, `kept` shows.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import GAPS, SHARES, plain, ticks
from regard.app.figures.table import LOOKS
from regard.app.theme import CATEGORIES
from regard.app.wording import MEAN
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace

if TYPE_CHECKING:  # its module needs torch, its values do not
    from regard.model.analysis.faithfulness import Counterfactual

SLOTS = 7  # of a row's height: one for its title, five for its bars, one between rows
SLOT = 17  # pixels
RIGHT, BOTTOM, LEFT = 24, 8, 52  # margins in pixels
LEVEL, TURNED = 34, 104  # the top margin, with the labels of the source tokens in it
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
    figure = go.Figure()
    for index, (name, shares) in enumerate(rows.items()):
        greatest = int(np.nan_to_num(shares).argmax())
        figure.add_bar(
            x=list(range(len(labels))),
            y=100 * shares,
            name=name,
            yaxis=f"y{index + 1}",
            marker={"color": CATEGORIES[0]},
            customdata=labels,
            hovertemplate="%{customdata}: %{y:.4f}%<extra>%{fullData.name}</extra>",
            texttemplate=["%{y:.1f}%" if place == greatest else "" for place in range(len(labels))],
            textfont={"size": 12},
            **OUTSIDE,
        )
        figure.update_layout({f"yaxis{index + 1}": _scale(index, len(rows))})
    notes = [title(f"<b>{name}</b>{about.get(name, '')}", index, len(rows)) for index, name in enumerate(rows)]
    return figure.update_layout(frame(len(rows), len(labels)) | {"xaxis": _tokens(labels), "annotations": notes})


def frame(rows: int, tokens: int, left: int = LEFT) -> dict[str, Any]:
    """Return the layout shared by figures with the same rows and source tokens, so that they align side by side."""
    top = LEVEL if tokens <= ALWAYS_LEVEL else TURNED
    return {
        "height": top + BOTTOM + rows * SLOTS * SLOT,
        "margin": {"l": left, "r": RIGHT, "t": top, "b": BOTTOM, "autoexpand": False},
        "bargap": 0.25,
        "showlegend": False,
        "barmode": "overlay",
    }


def title(text: str, row: int, rows: int, left: int = LEFT) -> dict[str, Any]:
    """Return a title above its row, from the left edge of the figure."""
    return {
        "text": text,
        "showarrow": False,
        "align": "left",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "xshift": -left,
        "yref": "paper",
        "y": 1 - (SLOTS * row + 0.5) / (SLOTS * rows),
        "yanchor": "middle",
    }


def _tokens(labels: Sequence[str]) -> dict[str, Any]:
    """Return one axis above all rows."""
    return {
        "side": "top",
        "anchor": "free",
        "position": 1,
        "range": [-0.5, len(labels) - 0.5],
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "ticklabelstandoff": 6,
        "autotickangles": [0] if len(labels) <= ALWAYS_LEVEL else [0, -90],
    }


def _scale(row: int, rows: int) -> dict[str, Any]:
    top, bottom = (1 - (SLOTS * row + slot) / (SLOTS * rows) for slot in (1, SLOTS - 1))
    return {"domain": [bottom, top], "range": [0, FULL], "anchor": "x", **WHOLE}


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
PRODUCED, OTHERS, BEFORE = CATEGORIES[1], CATEGORIES[-1], "#888888"


def exchanged_weights(trace: AnyTrace, looks: Sequence["Counterfactual"], step: int) -> go.Figure:
    """Draw the weights of each variant at a step, the model's own first and as an outline in the other rows."""
    own = looks[0]
    figure = token_bars(trace.source, {look.kind: look.weights[step] for look in looks}, ABOUT)
    for row in range(1, len(looks)):
        figure.add_bar(
            x=list(range(len(trace.source))),
            y=100 * own.weights[step],
            name=own.kind,
            yaxis=f"y{row + 1}",
            marker={"color": "rgba(0,0,0,0)", "line": {"width": 1.5, "color": BEFORE}},
            hoverinfo="skip",
            meta=LOOKS,
        )
    return figure


def distributions(trace: AnyTrace, looks: Sequence["Counterfactual"], step: int) -> go.Figure:
    """Draw the likeliest next tokens of each variant at a step (from 0), the model's own first. The token of the trace
    is always shown, with a mark and a colour of its own."""
    figure, names = go.Figure(), {}
    for index, look in enumerate(looks):
        rows = {SLOTS * index + 1.5 + slot: row for slot, row in enumerate(_likeliest(trace, look, step))}
        names |= {place: f"{MARK}{row.name}" if row.own else row.name for place, row in rows.items()}
        figure.add_bar(
            x=[row.percent for row in rows.values()],
            y=list(rows),
            name=look.kind,
            orientation="h",
            marker={"color": [PRODUCED if row.own else OTHERS for row in rows.values()]},
            customdata=[row.name for row in rows.values()],
            hovertemplate="%{customdata}: %{x:.4f}%<extra>%{fullData.name}</extra>",
            texttemplate="%{x:.1f}%",
            textposition="outside",
            cliponaxis=False,
        )
    titles = [f"<b>{looks[0].kind}</b>", *(f"<b>{one.kind}</b> {plain(outcome(one, step), 40)}" for one in looks[1:])]
    shares = {"range": [0, FULL], **WHOLE, "side": "top"}
    tokens = {"range": [SLOTS * len(looks), 0], "tickvals": list(names), "ticktext": list(names.values())}
    notes = [title(text, index, len(looks), NAMES_WIDTH) for index, text in enumerate(titles)]
    layout = frame(len(looks), len(trace.source), NAMES_WIDTH)
    figure.update_layout(layout | {"xaxis": shares, "yaxis": tokens, "annotations": notes})
    return figure.update_yaxes(showgrid=False)


def outcome(look: "Counterfactual", step: int) -> str:
    """Say if greedy decoding would choose the same token as with the model's own weights, or which other."""
    return "= same token" if look.stays[step] else f"≠ another token, “{chosen_token(look, step)}”"


def chosen_token(look: "Counterfactual", step: int) -> str:
    """Return the token that greedy decoding chooses."""
    place = look.top_ids[step].tolist().index(look.best_ids[step])
    return token_label(look.top_tokens[step][place])


class Likely(NamedTuple):
    name: str
    percent: float
    own: bool  # true for the token of the trace


def _likeliest(trace: AnyTrace, look: "Counterfactual", step: int) -> list[Likely]:
    """Return the likeliest tokens; the last gives way to the token of the trace if that is missing."""
    own = int(trace.target_ids[step])
    listed = zip(look.top_ids[step].tolist(), look.top_tokens[step], look.top_probabilities[step], strict=True)
    rows = [
        Likely(plain(token_label(token), LONGEST_NAME), 100 * float(probability), index == own)
        for index, token, probability in list(listed)[:SHOWN_TOKENS]
    ]
    if not any(row.own for row in rows):
        name = plain(token_label(trace.target[step]), LONGEST_NAME)
        rows[-1] = Likely(name, 100 * float(look.probabilities[step]), True)
    return rows


CHANGED, STAYED, INK, OUTLINE = "#F5C08A", "#CFE1EF", "#17202A", "#D55E00"
KEPT_ROW, KEPT_TOP, KEPT_LEFT = 30, 96, 150  # pixels


def kept(trace: AnyTrace, exchanged: Sequence["Counterfactual"], step: int) -> go.Figure:
    """Draw a row per replacement, a column per step: 1 and `=` if the same token is chosen, else 0 and `≠`. The column
    of `step` (from 0) has an outline."""
    stays = np.array([look.stays for look in exchanged], dtype=int)
    labels = [plain(token_label(token), LONGEST_LABEL) for token in trace.target]
    figure = go.Figure().add_heatmap(
        z=stays,
        zmin=0,
        zmax=1,
        colorscale=[[0, CHANGED], [1, STAYED]],
        showscale=False,
        text=np.where(stays, "=", "≠"),
        texttemplate="%{text}",
        textfont={"color": INK, "size": 15},
        hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
        **GAPS,
    )
    figure.add_vrect(step - 0.5, step + 0.5, line={"color": OUTLINE, "width": 3})
    columns = {"side": "top", "tickvals": list(range(len(labels))), "ticktext": labels, "autotickangles": [0, -90]}
    rows = {"tickvals": list(range(len(exchanged))), "ticktext": [look.kind for look in exchanged]}
    figure.update_layout(
        xaxis=columns,
        yaxis=rows | {"range": [len(exchanged) - 0.5, -0.5], "tickfont": {"size": 12}},
        height=KEPT_TOP + KEPT_ROW * len(stays) + 16,
        margin={"l": KEPT_LEFT, "r": 12, "t": KEPT_TOP, "b": 8, "autoexpand": False},
    )
    lines: dict[str, Any] = {"showgrid": False, "zeroline": False}
    return figure.update_xaxes(lines).update_yaxes(lines)


IMPORTANCE = {"weight": "weight", "gradient_by_input": "gradient × input", "leave_one_out": "leaving one out"}
ABOUT_IMPORTANCE = {
    IMPORTANCE["weight"]: ": share of the step",
    IMPORTANCE["gradient_by_input"]: ": share of the step",
    IMPORTANCE["leave_one_out"]: ": distance, 0 to 100%",
}
Measures = Mapping[str, Float[ndarray, "T S"]]
HEADING, LABELS, ROW, GAP = 24, 84, 24, 14  # pixels


def importance_bars(trace: AnyTrace, measures: Measures, step: int) -> go.Figure:
    """Draw each measure of a step (from 0) over the source tokens, as shares of 1 in percent."""
    return token_bars(
        trace.source, {IMPORTANCE[kind]: values[step] for kind, values in measures.items()}, ABOUT_IMPORTANCE
    )


def importance_heatmaps(trace: AnyTrace, measures: Measures) -> go.Figure:
    """Draw the measures of all steps: one matrix below the other, a row per step; unmeasured cells (NaN) are blank."""
    matrix = ROW * len(trace.target)
    block = HEADING + LABELS + matrix + GAP
    height = block * len(measures)
    figure = go.Figure()
    for index, (kind, values) in enumerate(measures.items()):
        top = 1 - (block * index + HEADING + LABELS) / height
        axes = {"xaxis": f"x{index + 1}", "yaxis": f"y{index + 1}"}
        figure.add_heatmap(
            z=100 * values,
            name=IMPORTANCE[kind],
            **axes,
            showscale=index == 0,
            colorbar={"ticksuffix": "%", "y": top, "yanchor": "top", "len": matrix / height},
            hovertemplate="%{y}, %{x}: %{z:.4f}%<extra>%{fullData.name}</extra>",
            **SHARES,
        )
        columns = _ticks(trace.source) | {"side": "top", "autotickangles": [0, -90], "anchor": axes["yaxis"]}
        rows = _ticks(trace.target) | {"autorange": "reversed", "anchor": axes["xaxis"]}
        domain = [max(0, top - matrix / height), top]
        figure.update_layout({f"xaxis{index + 1}": columns, f"yaxis{index + 1}": rows | {"domain": domain}})
        heading = {"text": f"<b>{IMPORTANCE[kind]}</b>", "y": 1 - block * index / height, "yref": "paper"}
        figure.add_annotation(heading, x=0, xref="paper", xanchor="left", yanchor="top", showarrow=False)
    return figure.update_layout(
        height=height + GAP,
        margin={"l": 96, "r": 84, "t": GAP, "b": 0, "autoexpand": False},
    )


def _ticks(tokens: tuple[str, ...]) -> dict[str, object]:
    return ticks([token_label(token) for token in tokens], LONGEST_LABEL) | {"automargin": False}
