"""Colours and number formats, the same in every figure and every screen.

Categories begin with the blue of the source and the vermilion of the target (Okabe and Ito); weights are Cividis,
signed numbers blue to orange around 0, which has the page's colour. The stepper's own colours are in its style sheet,
Streamlit's in its config.
Numbers carry as many digits as a reader can use: percent with one decimal, scores and components with two.
"""

CATEGORIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#7F7F7F")
WEIGHTS = "Cividis"
SIGNED = ((0.0, "#0B5394"), (0.25, "#7FB2DC"), (0.5, "#F7F7F7"), (0.75, "#F2A765"), (1.0, "#B45309"))
SIGNED_DARK = ((0.0, "#8CC4FF"), (0.25, "#3B74A8"), (0.5, "#12161C"), (0.75, "#A4672F"), (1.0, "#FFB570"))
STRIP = ("#2A7CC7", "#C4620B")  # below and above 0 on either page, fainter near 0
FONT = "Source Sans, system-ui, sans-serif"  # as in the rest of the app
CODE_FONT = "Source Code, ui-monospace, monospace"
LETTERING = {"family": FONT, "size": 14}  # of every figure
LAYOUT = {  # of a figure that sets nothing else: pixels around it, and its legend in a row above the axes
    "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
}


def percent(share: float) -> str:
    """Format a share in percent: 0.7312 is 73.1%."""
    return f"{100 * share:.1f}%"


def around_zero(reach: float) -> dict[str, object]:
    """Return the colours of cells with signed numbers, the strongest at −reach and reach."""
    return {"zmin": -reach, "zmax": reach, "colorscale": SIGNED}


def component(value: float) -> str:
    """Format a score or a component of a vector; a real minus sign keeps columns of figures apart."""
    return f"{value:z.2f}".replace("-", "−")
