"""Counterfactual: what if a step had looked elsewhere? Its own and other weights, and the tokens each would give."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import plotly.graph_objects as go

from regard.app.figures.bars import FULL, SLOTS, WHOLE, frame, title, token_bars
from regard.app.figures.heatmap import plain
from regard.app.figures.table import LOOKS
from regard.app.theme import CATEGORIES
from regard.app.wording import MEAN
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace

if TYPE_CHECKING:  # its module needs torch, its values do not
    from regard.model.analysis.faithfulness import Counterfactual

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
    return "= same token" if look.stays[step] else f"≠ another token, “{taken(look, step)}”"


def taken(look: "Counterfactual", step: int) -> str:
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
