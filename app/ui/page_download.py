"""A page to keep: translations side by side in one HTML file that steps without a server."""

from collections.abc import Sequence

import streamlit as st

from app.components.shared.head import Head
from app.export.page import page
from model.trace import Trace


def page_download(traces: Sequence[Trace], name: str, heads: Sequence[Head] = ()) -> None:
    """The button; `heads` stand above the translations, one for each or none, and `name` is that of the file."""
    st.download_button(
        "Page (HTML)",
        lambda: page(traces, heads),
        f"{name}.html",
        "text/html",
        on_click="ignore",
        icon=":material/download:",
        key=f"page-{name}",
        help="All of it in one file, to be stepped through without a server",
    )
