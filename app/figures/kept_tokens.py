"""Kept tokens: which tokens of a translation stay when the weights are replaced?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.bars import LONGEST_LABEL
from regard.app.figures.heatmap import GAPS, plain
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace

if TYPE_CHECKING:  # its module needs torch, its values do not
    from regard.model.analysis.faithfulness import Counterfactual

CHANGED, STAYED, INK, OUTLINE = "#F5C08A", "#CFE1EF", "#17202A", "#D55E00"
ROW, LABELS, NAMES = 30, 96, 150  # pixels


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
        height=LABELS + ROW * len(stays) + 16,
        margin={"l": NAMES, "r": 12, "t": LABELS, "b": 8, "autoexpand": False},
    )
    lines: dict[str, Any] = {"showgrid": False, "zeroline": False}
    return figure.update_xaxes(lines).update_yaxes(lines)
