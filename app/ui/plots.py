"""A figure on a screen, with its downloads: the picture as SVG or PNG, and the numbers drawn as CSV."""

import pandas as pd  # noqa: F401  (Plotly asks for it, and fails on what another visitor's thread has half imported)
import plotly.graph_objects as go
import streamlit as st

from app.figures.table import to_csv

PICTURES = ("SVG", "PNG")
INK = {"light": "#3D4650", "dark": "#C9D1DB"}  # Streamlit's own grey is too faint to read


def plot(figure: go.Figure, name: str, alt: str) -> None:
    """Draw the figure; `name` is unique on the screen and names the files, `alt` says in words what is to be seen."""
    with st.container(key=f"plot-{name}", gap="xxsmall"):
        place = st.container()
        with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="xsmall"):
            picture = st.segmented_control(
                "Picture as",
                PICTURES,
                default=PICTURES[0],
                required=True,
                label_visibility="collapsed",
                key=f"picture-{name}",
                help="What the camera on the figure saves",
            )
            st.download_button(
                "CSV",
                lambda: to_csv(figure),
                f"regard-{name}.csv",
                "text/csv",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
                key=f"csv-{name}",
                help="The numbers that the figure draws",
            )
        config = {
            "displaylogo": False,
            "modeBarButtons": [["toImage"]],
            "displayModeBar": True,
            "toImageButtonOptions": {
                "format": picture.lower(),
                "filename": f"regard-{name}",
                "scale": 2 if picture == "PNG" else 1,
            },
        }
        _ink(figure, INK[st.context.theme.type or "light"])
        if figure.layout["width"]:  # it keeps its width and is scrolled where the page is narrower
            st.html(
                f"<style>.st-key-plot-{name} > div:first-child {{ overflow-x: auto; }}"
                f".st-key-figure-{name} {{ min-width: {figure.layout['width']:.0f}px; }}</style>"
            )
        width = "content" if figure.layout["width"] else "stretch"
        place.plotly_chart(figure, width=width, key=f"figure-{name}", config=config, alt=alt)


def _ink(figure: go.Figure, colour: str) -> None:
    """Write all words of a figure in this colour, but for those that have one of their own."""
    font = {"color": colour}
    figure.update_layout(font=font, legend={"font": font})
    figure.update_xaxes(tickfont=font, title={"font": font})
    figure.update_yaxes(tickfont=font, title={"font": font})
    figure.update_traces(colorbar={"tickfont": font, "title": {"font": font}}, selector={"type": "heatmap"})
    figure.for_each_annotation(lambda note: note.update(font=font if note.font.color is None else {}))
