"""A download: a file that is made when its button is pressed, or a page of translations that steps without a server."""

from collections.abc import Callable, Sequence

import streamlit as st

from regard.app.components.shared.head import Head
from regard.app.export.page import page
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
