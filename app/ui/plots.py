"""Downloads, which are made when their button is pressed, and figures with theirs: SVG, PNG, and the numbers as CSV."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd  # noqa: F401  (Plotly asks for it, and fails on what another visitor's thread has half imported)
import plotly.graph_objects as go
import streamlit as st

from regard.app.components.figure_export.mount import figure_export
from regard.app.components.stepper.payload import Head
from regard.app.export.page import page
from regard.app.figures.heatmap import number_cells
from regard.app.figures.table import to_csv
from regard.app.models.models import title
from regard.app.theme import LAYOUT, LETTERING, SIGNED, SIGNED_DARK
from regard.model.alignment import Posterior
from regard.model.trace import AnyTrace

KINDS = {"json": "application/json", "zip": "application/zip", "html": "text/html", "csv": "text/csv"}
KINDS |= {"py": "text/x-python", "ipynb": "application/x-ipynb+json"}


def download(
    label: str,
    content: str | bytes | Callable[[], str | bytes],
    file: str,
    about: str = "",
    key: str | None = None,
    icon: str = "download",
    quiet: bool = False,
    disabled: bool = False,
) -> None:
    """Draw the button; the file's ending tells its type. A `quiet` button has no border; `about` says more."""
    st.download_button(
        label,
        content,
        file,
        KINDS.get(file.rpartition(".")[2], "text/plain"),
        on_click="ignore",
        icon=icon and f":material/{icon}:",
        type="tertiary" if quiet else "secondary",
        key=key,
        help=about or None,
        disabled=disabled,
    )


def page_download(
    traces: Sequence[AnyTrace], name: str, heads: Sequence[Head] = (), posteriors: Sequence[Posterior] = ()
) -> None:
    """Draw the button for a file of this name; `heads` gives the head shown for each translation, if any; with
    `posteriors`, the page opens with them."""
    download(
        "Page (HTML)",
        lambda: page(traces, heads, posteriors),
        f"{name}.html",
        "All of it in one file, to step through without a server",
        key=f"page-{name}",
    )


BARE = {"displaylogo": False, "displayModeBar": False}
INK = {"light": "#3D4650", "dark": "#C9D1DB"}  # Streamlit's own grey is too faint to read


def plot(figure: go.Figure, name: str, alt: str, about: str = "", boxed: bool = False) -> list[dict[str, list[float]]]:
    """Draw the figure; `name` is unique on the screen and names the files, `alt` describes the figure in words.

    `about` is its subject, such as a sentence and its model, and appears under the picture's title. With `boxed` a
    person can draw boxes; their ranges `x` and `y` are returned.
    """
    figure.update_layout({part: usual | figure.layout[part].to_plotly_json() for part, usual in LAYOUT.items()})
    with st.container(key=f"plot-{name}", gap="xxsmall"):
        place = st.container()
        with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="xsmall"):
            figure_export(name, alt, " · ".join(filter(None, (about, "made with Regard"))))
            download(
                "CSV",
                lambda: to_csv(figure),
                f"regard-{name}.csv",
                "The figure's numbers",
                key=f"csv-{name}",
                icon="",
                quiet=True,
            )
        theme = st.context.theme.type or "light"
        number_cells(figure, theme)
        _ink(figure, INK[theme])
        if theme == "dark":  # signed numbers fade into the page at 0 there, too
            figure.update_traces(colorscale=SIGNED_DARK, selector={"type": "heatmap", "colorscale": SIGNED})
        style = f".st-key-figure-{name} {{ min-height: {figure.layout['height'] or 0:.0f}px; }}"  # before it is drawn
        if figure.layout["width"]:  # it keeps its width and is scrolled on a narrower page
            style += (
                f".st-key-plot-{name} > div:first-child {{ overflow-x: auto; }}"
                f".st-key-figure-{name} {{ min-width: {figure.layout['width']:.0f}px; }}"
            )
        st.html(f"<style>{style}</style>")
        width = "content" if figure.layout["width"] else "stretch"
        about_it: dict[str, Any] = {"width": width, "key": f"figure-{name}", "config": BARE, "alt": alt}
        if not boxed:  # a finger or the wheel scrolls the page, and zooms nothing
            figure.update_layout(dragmode=False).update_xaxes(fixedrange=True).update_yaxes(fixedrange=True)
            place.plotly_chart(figure, **about_it)
            return []
        return place.plotly_chart(figure, **about_it, on_select="rerun", selection_mode="box")["selection"]["box"]


def subject(shown: AnyTrace) -> str:
    """Return the subject of a figure: the sentence, the translation and the model."""
    return f"“{shown.alignment.source.text}” → “{shown.text}” · model {title(shown.maker.name)}"


def _ink(figure: go.Figure, colour: str) -> None:
    """Set the letters of a figure and its scales, and the colour of all text except text with a colour of its own."""
    font = {"color": colour}
    figure.update_layout(font=LETTERING | font, legend={"font": font})
    figure.update_xaxes(tickfont=font, title={"font": font})
    figure.update_yaxes(tickfont=font, title={"font": font})
    bar = {"thickness": 12, "tickfont": font, "title": {"font": font}}
    figure.update_traces(colorbar=bar, selector={"type": "heatmap"})
    figure.for_each_annotation(lambda note: note.update(font=font if note.font.color is None else {}))
