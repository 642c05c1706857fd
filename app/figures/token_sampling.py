"""Token sampling: one draw, from the model's distribution to the reshaped one, and where the random number fell."""

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import plain
from regard.app.figures.token_bars import LONGEST_LABEL, token_bars
from regard.app.theme import CATEGORIES, percent
from regard.model.alignment import token_label
from regard.model.decoding.token_sampling import Draw, ShownDraw

OTHERS = "others"
SAMPLED, LISTED, REST = CATEGORIES[1], CATEGORIES[0], CATEGORIES[-1]
TINTS = ("#CFE1EF", "#A9CBE3")  # of neighbours on the line, alternating
REST_TINT, SAMPLED_TINT, INK = "#D9D9D9", "#F5C08A", "#17202A"
HEIGHT, TOP, BOTTOM, SIDE = 164, 64, 36, 14  # of the line, in pixels
SMALL = 0.0005  # shares below this would show as 0.0
LEAST = 1e-6  # a share below this is only bounded
NEAR = 0.1  # the part at each end of the line where the number stands beside its arrow
DIGITS = range(4, 16)  # of the random number: as few as show on which token it fell
SMALLEST_TYPE = 11  # pixels of a name on the line


def stages(shown: ShownDraw, drawn: Draw, temperature: float, tokens: int) -> go.Figure:
    """Draw four rows of bars over the same tokens, the last bar for all others; the sampled token has its colour.
    `tokens` is how many may be sampled before the cut."""
    rows = {
        "by the model": shown.own,
        f"after temperature {temperature:g}": shown.heated,
        "after the cut": shown.left,
        "drawn from": shown.chance,
    }
    about = {
        "after the cut": f": {drawn.left:,} of {tokens:,} tokens left",
        "drawn from": f": what is left, divided by {percent(drawn.mass)}",
    }
    others = f" {tokens - len(shown.ids):,} {OTHERS}"
    figure = token_bars([*shown.tokens, others], rows, about)
    colours = [SAMPLED if place == shown.drawn else LISTED for place in range(len(shown.ids))] + [REST]
    for name, shares in rows.items():
        named = {0, shown.drawn, len(shown.ids)}
        gone = "cut" if shares is shown.left else ""
        texts = [
            small_percent(share) if place in named and share else gone if share == 0 else ""
            for place, share in enumerate(shares.tolist())
        ]
        figure.update_traces(marker={"color": colours}, texttemplate=texts, selector={"name": name})
    return figure.update_xaxes(range=[-1, len(shown.ids) + 0.5])  # room for a number beside those of the axis


def line(shown: ShownDraw, drawn: Draw) -> go.Figure:
    """Draw the remaining tokens side by side from 0 to 1, the likeliest first, and where the random number fell."""
    segments = _segments(shown, drawn)
    names, widths, colours = (list(column) for column in zip(*segments, strict=True))
    stops = np.cumsum(widths)
    sampled = [colour == SAMPLED_TINT for colour in colours]
    figure = go.Figure(
        go.Bar(
            x=widths,
            base=stops - widths,
            y=[0] * len(segments),
            orientation="h",
            marker={
                "color": [colour or TINTS[index % len(TINTS)] for index, colour in enumerate(colours)],
                "line": {"color": SAMPLED, "width": [2 if one else 0 for one in sampled]},
            },
            text=names,
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": INK, "size": 13},
            customdata=np.stack([stops - widths, stops], axis=1),
            hovertemplate="%{text}: from %{customdata[0]:.4f} to %{customdata[1]:.4f}<extra></extra>",
        )
    )
    aside = "left" if drawn.number < NEAR else "right" if drawn.number > 1 - NEAR else "center"
    arrow = {"ax": 0, "ay": -22, "arrowcolor": SAMPLED, "arrowwidth": 2, "xanchor": aside}
    figure.add_annotation(x=drawn.number, y=1, yref="paper", text=f"<b>{ends(drawn)[1]}</b>", **arrow)
    figure.add_vline(x=drawn.number, line={"color": INK, "width": 2})
    return figure.update_layout(
        height=HEIGHT,
        margin={"l": SIDE, "r": SIDE, "t": TOP, "b": BOTTOM, "autoexpand": False},
        showlegend=False,
        bargap=0,
        uniformtext={"minsize": SMALLEST_TYPE, "mode": "hide"},
        xaxis={"range": [0, 1], "showgrid": False, "zeroline": False, "dtick": 0.25},
        yaxis={"visible": False},
    )


def ends(drawn: Draw) -> tuple[str, str, str]:
    """Return the token's beginning, the random number and the token's end, with enough digits to tell them apart."""
    exact = drawn.below, drawn.number, drawn.below + drawn.chance
    written = [tuple(f"{end:.{digits}f}" for end in exact) for digits in DIGITS]
    low, number, high = next((texts for texts in written if texts[0] <= texts[1] < texts[2]), written[-1])
    return low, number, high


def small_percent(share: float) -> str:
    """Format with one decimal as everywhere, but with two digits if that would show zero, down to a bound."""
    if share < LEAST:
        return f"under {100 * LEAST:g}%"
    return percent(share) if share >= SMALL else f"{100 * share:.2g}%"


def _segments(shown: ShownDraw, drawn: Draw) -> list[tuple[str, float, str]]:
    """Return name, width and colour ("" alternates) of the line's segments; the sampled one may be unlisted."""
    names = [plain(token_label(token), LONGEST_LABEL) for token in shown.tokens]
    *widths, rest = shown.chance.tolist()
    listed = [
        (name, width, SAMPLED_TINT if place == shown.drawn else "")
        for place, (name, width) in enumerate(zip(names, widths, strict=True))
    ]
    before = 0.0
    if drawn.place > shown.drawn:  # it ranks low, after other tokens
        before = max(0.0, drawn.below - sum(widths[: shown.drawn]))
        listed.insert(shown.drawn, (OTHERS, before, REST_TINT))
    listed.append((OTHERS, rest - before, REST_TINT))
    return [segment for segment in listed if segment[1] > 0]
