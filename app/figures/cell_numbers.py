"""Numbers in a heatmap's cells: black or white, whichever has the higher contrast with its cell (at least 4.5 : 1).
Plotly's own inks, white and a dark grey, have as little as 2.5 : 1."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy import ndarray
from plotly.colors import hex_to_rgb

from regard.app.figures.table import LOOKS
from regard.app.theme import SIGNED, SIGNED_DARK

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
    plain: list[Any] = [*figure.select_traces({"type": "heatmap", "texttemplate": "%{text}", "textfont.color": None})]
    for drawn in plain:
        shares, text = (np.array(drawn.z, float) - drawn.zmin) / (drawn.zmax - drawn.zmin), np.array(drawn.text, str)
        scales = drawn.colorscale, SIGNED_DARK if theme == "dark" and drawn.colorscale == SIGNED else drawn.colorscale
        light, here = (luminance(scale, 1 - shares if drawn.reversescale else shares) > TURNING for scale in scales)
        blanks = np.char.multiply("\u2007", np.char.str_len(text))  # Plotly fits a trace's longest text into its cells
        kept = {name: drawn[name] for name in ("x", "y", "z", "xaxis", "yaxis", "xgap", "ygap")}
        kept |= {"texttemplate": "%{text}", "opacity": 0, "showscale": False, "hoverinfo": "skip", "meta": LOOKS}
        for best in sorted({*zip(light.ravel().tolist(), here.ravel().tolist(), strict=True)}):
            own = (light == best[0]) & (here == best[1])
            figure.add_heatmap(text=np.where(own, text, blanks), textfont={"color": INKS[best]}, **kept)
        drawn.texttemplate = None
