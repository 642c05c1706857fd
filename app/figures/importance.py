"""Importance: which source tokens mattered? Attention beside measures of importance that do not use it."""

from collections.abc import Mapping

import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.bars import LONGEST_LABEL, token_bars
from regard.app.figures.heatmap import SHARES, ticks
from regard.model.alignment import token_label
from regard.model.trace import AnyTrace

NAMES = {"weight": "weight", "gradient_by_input": "gradient × input", "leave_one_out": "leaving one out"}
ABOUT = {
    NAMES["weight"]: ": share of the step",
    NAMES["gradient_by_input"]: ": share of the step",
    NAMES["leave_one_out"]: ": distance, 0 to 100%",
}
Measures = Mapping[str, Float[ndarray, "T S"]]
TITLE, LABELS, ROW, GAP = 24, 84, 24, 14  # pixels


def importance_bars(trace: AnyTrace, measures: Measures, step: int) -> go.Figure:
    """Draw each measure of a step (from 0) over the source tokens, as shares of 1 in percent."""
    return token_bars(trace.source, {NAMES[kind]: values[step] for kind, values in measures.items()}, ABOUT)


def importance_heatmaps(trace: AnyTrace, measures: Measures) -> go.Figure:
    """Draw the measures of all steps: one matrix below the other, a row per step; unmeasured cells (NaN) are blank."""
    matrix = ROW * len(trace.target)
    block = TITLE + LABELS + matrix + GAP
    height = block * len(measures)
    figure = go.Figure()
    for index, (kind, values) in enumerate(measures.items()):
        top = 1 - (block * index + TITLE + LABELS) / height
        axes = {"xaxis": f"x{index + 1}", "yaxis": f"y{index + 1}"}
        figure.add_heatmap(
            z=100 * values,
            name=NAMES[kind],
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
        figure.add_annotation(_title(NAMES[kind], 1 - block * index / height))
    return figure.update_layout(
        height=height + GAP,
        margin={"l": 96, "r": 84, "t": GAP, "b": 0, "autoexpand": False},
    )


def _title(name: str, y: float) -> dict[str, object]:
    place = {"xref": "paper", "x": 0, "xanchor": "left", "yref": "paper", "y": y, "yanchor": "top"}
    return {"text": f"<b>{name}</b>", "showarrow": False, **place}


def _ticks(tokens: tuple[str, ...]) -> dict[str, object]:
    return ticks([token_label(token) for token in tokens], LONGEST_LABEL) | {"automargin": False}
