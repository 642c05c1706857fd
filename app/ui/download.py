"""A download: a file that is made when its button is pressed."""

from collections.abc import Callable

import streamlit as st

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
