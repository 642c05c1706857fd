"""Search path: two probabilities and the cost of a search for attention, iteration by iteration."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import plain
from regard.app.figures.training_curves import two_rows
from regard.app.theme import CATEGORIES
from regard.model.alignment import token_label

if TYPE_CHECKING:  # its module needs torch, its values do not
    from regard.model.analysis.attention_search import AttentionSearch

WANTED, OWN, COST, TAKEN = CATEGORIES[1], CATEGORIES[-1], CATEGORIES[0], "#888888"
HEIGHT = 400  # pixels
FEW = 2  # powers of ten between whose marks others are needed
TICKS = 4  # about this many powers of ten are marked; below 10 to its negative, they are written as powers


def descent(asked: "AttentionSearch") -> go.Figure:
    """Draw the probability of the wanted token and of the model's own above, the cost in nats below. A line marks the
    iteration whose weights were taken."""
    figure = two_rows("probability in percent, logarithmic", "cost, KL in nats", "iteration", 0.16)
    path, wanted, own = asked.path, _label(asked.text), _label(asked.own.written)
    lines = [(wanted, 100 * path.wanted, WANTED, 1, "%")]
    if asked.own.written != asked.text:
        lines.append((own, 100 * path.likeliest, OWN, 1, "%"))
    lines.append(("cost", path.cost, COST, 2, " nats"))
    for name, values, colour, row, unit in lines:
        figure.add_scatter(
            x=list(range(1, len(values) + 1)),
            y=values.tolist(),
            name=name,
            mode="lines",
            line={"color": colour, "width": 2.5, "dash": "dash" if colour == OWN else "solid"},
            showlegend=row == 1,
            hovertemplate=f"iteration %{{x}}: %{{y:.4f}}{unit}<extra>%{{fullData.name}}</extra>",
            row=row,
            col=1,
        )
    figure.add_vline(x=path.taken + 1, line={"color": TAKEN, "width": 1.5, "dash": "dot"})
    figure.update_yaxes(_powers([path.wanted, path.likeliest]), row=1, col=1)
    figure.update_yaxes(rangemode="tozero", row=2, col=1)
    return figure.update_layout(height=HEIGHT, margin={"l": 76, "r": 24, "t": 72, "b": 48}, legend={"y": 1.12})


def _powers(chances: Sequence[Float[ndarray, " N"]]) -> dict[str, Any]:
    """Return an axis of percent with a few powers of ten, and with their multiples by 2 and 5 if these are few."""
    seen = [float(chance) for row in chances for chance in row if chance > 0]
    lowest, highest = floor(log10(100 * min(seen))), ceil(log10(100 * max(seen)))
    powers = range(highest, lowest - 1, -max(1, ceil((highest - lowest) / TICKS)))
    multiples = (1, 2, 5) if highest - lowest <= FEW else (1,)
    ticks = [(multiple * 10.0**power, power) for power in powers for multiple in multiples]
    texts = [f"{value:g}%" if power > -TICKS else f"10<sup>−{-power}</sup>%" for value, power in ticks]
    return {"type": "log", "tickvals": [value for value, _ in ticks], "ticktext": texts}


def _label(token: str) -> str:
    return f"“{plain(token_label(token))}”"
